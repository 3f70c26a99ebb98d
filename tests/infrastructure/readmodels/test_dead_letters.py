"""An event that cannot be folded is put aside with its game; all other games go on."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast
from uuid import UUID

import pytest
from msgspec.structs import replace
from sqlalchemy import Column, Integer, MetaData, String, Table, insert, select

from fairdeal import Fairdeal
from fairdeal.application.errors import InvalidQuery, LedgerError
from fairdeal.application.log.record import Record
from fairdeal.application.ports import Ledger
from fairdeal.application.projections.public_event import PublicEvent
from fairdeal.application.projections.results import Retried
from fairdeal.infrastructure.readmodels.projections.base import Projection
from fairdeal.infrastructure.readmodels.read_side import ReadSide
from kits.readmodels import clean_run, play, rows

NOTES = Table("notes", MetaData(), Column("position", Integer, primary_key=True), Column("event", String(50)))


class Notes(Projection):
    """Writes down every event but those of one game, which it cannot bear."""

    name = "notes"
    tables = (NOTES,)

    def __init__(self) -> None:
        self.cannot_bear: tuple[UUID, int] | None = None
        self.tries = 0

    def fold(self, connection: Any, events: Sequence[PublicEvent]) -> None:
        for one in events:
            connection.execute(insert(NOTES).values(position=one.position, event=one.name))
            if (one.game_id, one.version) == self.cannot_bear:
                self.tries += 1
                raise ValueError(f"cannot bear {one.line}")


@pytest.fixture
def notes() -> Notes:
    return Notes()


@pytest.fixture
def noting(address: str, notes: Notes) -> Iterator[Fairdeal]:
    with Fairdeal(address, projections=[notes]) as opened:
        yield opened


def noted(fairdeal: Fairdeal) -> list[int]:
    with fairdeal.read.connection() as connection:
        return list(connection.execute(select(NOTES.c.position).order_by(NOTES.c.position)).scalars())


def test_only_the_game_that_fails_is_put_aside(noting: Fairdeal, notes: Notes, elsewhere: str) -> None:
    bad = play(noting, ["ann", "bob"], seed=1, moves=2)
    notes.cannot_bear = (bad, 3)
    play(noting, ["cleo", "dora"], seed=2, moves=2)
    play(noting, ["ann", "bob"], seed=3, moves=2)
    letters = noting.read.dead_letters().items
    assert [(one.projection, one.game_id, one.version) for one in letters] == [
        ("notes", bad, version) for version in range(3, len(noting.story(bad)) + 1)
    ]
    assert letters[0].error == "ValueError: cannot bear bob sits down."
    assert (letters[0].tries, notes.tries) == (3, 4), "once with its batch, then three times alone"
    assert [one.error for one in letters[1:]] == [None] * (len(letters) - 1)
    aside = {one.position for one in letters}
    assert noted(noting) == [at for at in range(1, noting.ledger.head() + 1) if at not in aside]
    found = rows(noting.read.database)
    assert found.pop("fairdeal_dead_letters")
    found["fairdeal_positions"] = [row for row in found["fairdeal_positions"] if row[0] != "notes"]
    expected = clean_run(noting, elsewhere)
    del expected["fairdeal_dead_letters"]
    assert found == expected, "the other projections have everything"


def test_what_comes_later_in_that_game_waits_too(noting: Fairdeal, notes: Notes) -> None:
    bad = play(noting, ["ann", "bob"], seed=1, moves=2)
    notes.cannot_bear = (bad, 4)
    noting.read.catch_up()
    before = len(noting.read.dead_letters().items)
    look = noting.look(bad)
    noting.move(bad, look.players[look.active[0]], {"move": "end_turn"})
    assert len(noting.read.dead_letters().items) == before + 2
    first = noting.read.dead_letters(projection="notes", game=bad, limit=1)
    rest = noting.read.dead_letters(projection="notes", game=bad, cursor=first.next)
    assert (*first.items, *rest.items) == noting.read.dead_letters().items
    assert noting.read.dead_letters(projection="games").items == ()


def test_dead_letters_are_folded_when_their_cause_is_gone(noting: Fairdeal, notes: Notes) -> None:
    bad = play(noting, ["ann", "bob"], seed=1, moves=2)
    worse = play(noting, ["ann", "cleo"], seed=2, moves=1)
    notes.cannot_bear = (bad, 2)
    total = len(noting.read.dead_letters().items)
    assert noting.read.retry_dead_letters() == Retried(folded=0, left=total)
    assert noting.read.dead_letters().items[0].tries == 6
    notes.cannot_bear = (bad, 5)
    assert noting.read.retry_dead_letters(projection="notes").folded == 3
    assert noting.read.dead_letters().items[0].version == 5
    notes.cannot_bear = None
    assert noting.read.retry_dead_letters(game=worse).folded == 0
    assert noting.read.retry_dead_letters(game=bad) == Retried(folded=total - 3, left=0)
    assert noting.read.dead_letters().items == ()
    assert noted(noting) == list(range(1, noting.ledger.head() + 1))
    with pytest.raises(InvalidQuery, match="projection"):
        noting.read.retry_dead_letters(projection="nonsense")


def test_a_runner_that_starts_tries_dead_letters_once_more(noting: Fairdeal, notes: Notes) -> None:
    bad = play(noting, ["ann", "bob"], seed=1, moves=2)
    notes.cannot_bear = (bad, 2)
    assert noting.read.dead_letters().items
    notes.cannot_bear = None
    with noting.read.start_runner():
        for _ in range(300):
            if not noting.read.dead_letters().items:
                break
    assert noted(noting) == list(range(1, noting.ledger.head() + 1))


class Damaged:
    """A ledger in which one record is not what it was."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self.damage: dict[tuple[UUID, int], dict[str, Any]] = {}

    def since(self, position: int, limit: int) -> Sequence[tuple[int, Record]]:
        return [(at, self._as_found(record)) for at, record in self._ledger.since(position, limit)]

    def records(self, game_id: UUID, **which: Any) -> Sequence[Record]:
        return [self._as_found(record) for record in self._ledger.records(game_id, **which)]

    def _as_found(self, record: Record) -> Record:
        return replace(record, **self.damage.get((record.game_id, record.version), {}))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ledger, name)


@contextmanager
def reading_damage(fairdeal: Fairdeal, ledger: Damaged) -> Generator[ReadSide]:
    read = ReadSide(cast("Ledger", ledger), fairdeal.codec, fairdeal.kinds, address="memory:")
    yield read
    read.close()


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ({"payload": b'{"event":{"seat":0,"card":"QS?"}}'}, "is damaged; run an audit"),
        ({"payload": b"\xff\xfe"}, "is damaged; run an audit"),
        ({"name": "kings_corners.card_eaten.v1"}, "cannot read"),
        ({"name": "poker.card_played.v1"}, "is damaged; run an audit"),
        ({"payload": b'{"event":{"seat":5,"card":"KS","pile":"N"}}', "name": "kings_corners.card_played.v1"}, "Index"),
    ],
)
def test_a_record_that_cannot_be_read_stops_its_game_alone(
    fairdeal: Fairdeal, damage: dict[str, Any], said: str
) -> None:
    bad = play(fairdeal, ["ann", "bob"], seed=1, moves=4)
    good = play(fairdeal, ["cleo", "dora"], seed=2, moves=4)
    ledger = Damaged(fairdeal.ledger)
    ledger.damage[bad, 6] = damage
    with reading_damage(fairdeal, ledger) as read:
        letters = read.dead_letters().items
        assert {one.game_id for one in letters} == {bad}
        assert {one.projection for one in letters} == {"conduct", "games", "timeline", "statistics", "ratings"}
        errors = {one.error for one in letters if one.version == 6}
        assert len(errors) == 1
        told = str(errors.pop())
        assert said in told
        assert "QS" not in told, "what is hidden is not quoted"
        shown = read.game(good)
        assert shown is not None
        assert shown.version == fairdeal.look(good).version
        ledger.damage.clear()
        assert read.retry_dead_letters().left == 0
        clean = clean_run(fairdeal, "memory:")
        assert rows(read.database) == clean


def test_a_ledger_that_is_away_is_nobodys_fault(fairdeal: Fairdeal) -> None:
    play(fairdeal, ["ann", "bob"], seed=1, moves=2)
    ledger = Damaged(fairdeal.ledger)
    with reading_damage(fairdeal, ledger) as read:
        away = LedgerError("away")

        def fail(*_: Any, **__: Any) -> Any:
            raise away

        read.catch_up()
        look = fairdeal.look(read.games().items[0].id)
        fairdeal.move(look.game_id, look.players[look.active[0]], {"move": "end_turn"})
        ledger.since = fail  # type: ignore[method-assign]
        with pytest.raises(LedgerError) as failed:
            read.games()
        assert failed.value is away
        del ledger.since
        assert read.dead_letters().items == ()
