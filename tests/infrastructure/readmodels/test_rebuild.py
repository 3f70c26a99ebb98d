"""A rebuild makes fresh tables beside the old ones, which serve until the moment of the swap."""

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Thread
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import Column, ForeignKey, Integer, MetaData, String, Table, create_engine, inspect, select, update

from fairdeal import Fairdeal, OpenGame
from fairdeal.application.errors import InvalidQuery
from fairdeal.application.projections.errors import NewerReadModel
from fairdeal.application.projections.results import Progress
from fairdeal.infrastructure.readmodels.folding.progress_bar import bar
from fairdeal.infrastructure.readmodels.projections.base import Projection, upsert
from fairdeal.infrastructure.readmodels.read_side import ReadSide
from fairdeal.infrastructure.readmodels.tables import GAMES, POSITIONS, REBUILDS, TIMELINE
from fairdeal.projections import main
from fairdeal.testing.workload import fill
from kits.postgres import new_schema
from kits.readmodels import BUILT_IN, clean_run, rows


def spoil(read: ReadSide) -> None:
    """Somebody with a database tool has been here."""
    with read.database.writing() as connection:
        connection.execute(update(GAMES).values(kind="spoilt"))
        connection.execute(TIMELINE.delete())


def tables_in(read: ReadSide) -> set[str]:
    return set(inspect(read.database.engine).get_table_names())


def indexes_in(read: ReadSide) -> dict[str, list[str]]:
    look = inspect(read.database.engine)
    return {table.name: sorted(str(one["name"]) for one in look.get_indexes(table.name)) for table in BUILT_IN}


def test_after_a_rebuild_the_tables_are_those_of_a_clean_run(both: Fairdeal, elsewhere: str, tmp_path: Path) -> None:
    fill(both.ledger, both.codec, 600, tables=6)
    both.read.catch_up()
    tables, indexes = tables_in(both.read), indexes_in(both.read)
    spoil(both.read)
    told: list[Progress] = []
    done = both.read.rebuild(progress=told.append)
    assert (done.position, done.share) == (both.ledger.head(), 1.0)
    assert [one.position for one in told] == sorted(one.position for one in told)
    assert told[-1].position == both.ledger.head()
    assert rows(both.read.database) == clean_run(both, elsewhere)
    assert (tables_in(both.read), indexes_in(both.read)) == (tables, indexes)
    with both.read.database.reading() as connection:
        assert connection.execute(select(REBUILDS)).all() == []
    assert [path.name for path in tmp_path.glob("*rebuild*")] == []


def test_questions_are_answered_from_the_old_tables_until_the_swap(both: Fairdeal) -> None:
    fill(both.ledger, both.codec, 400, tables=6)
    before = both.read.games(limit=500)
    answers: list[object] = []
    reader = ReadSide(both.ledger, both.codec, both.kinds, address="memory:", where=both.read.database.engine, batch=50)
    reader.rebuild(progress=lambda _: answers.append(both.read.games(limit=500)))
    assert len(answers) > 5
    assert all(answer == before for answer in answers)


def test_commands_and_runners_go_on_during_a_rebuild(both: Fairdeal, elsewhere: str) -> None:
    fill(both.ledger, both.codec, 600, tables=6)
    opened: list[object] = []

    def busy() -> None:
        for number in range(40):
            answer = both.handle(OpenGame(player="ann", kind="kings_corners", command_id=str(number)))
            opened.append(both.read.game(answer.game_id))

    thread = Thread(target=busy)
    with both.read.start_runner():
        thread.start()
        for _ in range(3):
            both.read.rebuild()
        thread.join()
    both.read.catch_up()
    assert None not in opened
    assert rows(both.read.database) == clean_run(both, elsewhere)


class BrokenOff(Exception):
    pass


def break_off_after(events: int, seen: list[int] | None = None) -> Callable[[Progress], None]:
    def report(progress: Progress) -> None:
        if seen is not None:
            seen.append(progress.position)
        if progress.position >= events:
            raise BrokenOff

    return report


def test_a_rebuild_that_was_broken_off_goes_on_where_it_was(both: Fairdeal, elsewhere: str) -> None:
    fill(both.ledger, both.codec, 600, tables=6)
    both.read.catch_up()
    spoil(both.read)
    worker = ReadSide(both.ledger, both.codec, both.kinds, address="memory:", where=both.read.database.engine, batch=50)
    with pytest.raises(BrokenOff):
        worker.rebuild(progress=break_off_after(300))
    again: list[int] = []
    with pytest.raises(BrokenOff):
        worker.rebuild(progress=break_off_after(500, again))
    assert again[0] > 300
    anew: list[int] = []
    with pytest.raises(BrokenOff):
        worker.rebuild(progress=break_off_after(200, anew), resume=False)
    assert anew[0] < 100
    worker.rebuild()
    assert rows(both.read.database) == clean_run(both, elsewhere)


def test_a_rebuild_leaves_those_in_other_schemas_alone(postgres_server: str) -> None:
    begins = f"test_{uuid4().hex}"
    mine, other = (new_schema(postgres_server, f"{begins}_{end}") for end in ("a", "b"))
    with Fairdeal(mine) as here, Fairdeal(other) as there:
        fill(there.ledger, there.codec, 200, tables=6)
        engine = there.read.database.engine
        worker = ReadSide(there.ledger, there.codec, there.kinds, address="memory:", where=engine, batch=50)
        with pytest.raises(BrokenOff):
            worker.rebuild(progress=break_off_after(100))
        here.read.rebuild()
        again: list[int] = []
        worker.rebuild(progress=lambda progress: again.append(progress.position))
        assert again[0] > 100, "what was folded is still there"


@pytest.mark.parametrize("name", ["tenant-1", "1st", "Großes Haus", 'a."b'])
def test_a_schema_may_have_any_name(postgres_server: str, elsewhere: str, name: str) -> None:
    with Fairdeal(new_schema(postgres_server, f"{name} {uuid4().hex[:8]}")) as fairdeal:
        fill(fairdeal.ledger, fairdeal.codec, 100, tables=6)
        fairdeal.read.catch_up()
        spoil(fairdeal.read)
        fairdeal.read.rebuild()
        assert rows(fairdeal.read.database) == clean_run(fairdeal, elsewhere)


def test_two_rebuilds_at_once_help_one_another(both: Fairdeal, elsewhere: str) -> None:
    fill(both.ledger, both.codec, 600, tables=6)
    both.read.catch_up()
    spoil(both.read)
    engine = both.read.database.engine
    sides = [ReadSide(both.ledger, both.codec, both.kinds, address="memory:", where=engine, batch=20) for _ in range(2)]
    threads = [Thread(target=side.rebuild) for side in sides]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert rows(both.read.database) == clean_run(both, elsewhere)


OWN = MetaData()
PARTS = Table("parts", OWN, Column("id", Integer, primary_key=True), Column("word", String(20), index=True))
PIECES = Table("pieces", OWN, Column("id", Integer, primary_key=True), Column("part", Integer, ForeignKey("parts.id")))


class Words(Projection):
    """A projection of the service's own, with tables that refer to each other."""

    name = "words"
    tables = (PIECES, PARTS)

    def fold(self, connection: Any, events: Sequence[Any]) -> None:
        upsert(connection, PARTS, [{"id": one.position, "word": one.name[:20]} for one in events])
        upsert(connection, PIECES, [{"id": one.position, "part": one.position} for one in events])


def test_a_projection_of_ones_own_is_rebuilt_alone_if_one_likes(address: str, elsewhere: str) -> None:
    with Fairdeal(address, projections=[Words()]) as fairdeal:
        fill(fairdeal.ledger, fairdeal.codec, 200, tables=6)
        fairdeal.read.catch_up()
        before = rows(fairdeal.read.database, [PARTS, PIECES])
        with fairdeal.read.database.writing() as connection:
            connection.execute(PIECES.delete())
            connection.execute(PARTS.delete())
        fairdeal.read.rebuild(only=["words"])
        assert rows(fairdeal.read.database, [PARTS, PIECES]) == before
        spoil(fairdeal.read)
        fairdeal.read.rebuild()
        assert rows(fairdeal.read.database, [PARTS, PIECES]) == before
        found = rows(fairdeal.read.database)
        found["fairdeal_positions"] = [row for row in found["fairdeal_positions"] if row[0] != "words"]
        assert found == clean_run(fairdeal, elsewhere)
        with pytest.raises(InvalidQuery, match="'nonsense'"):
            fairdeal.read.rebuild(only=["nonsense"])


class MoreWords(Words):
    version = 2


def test_a_raised_version_folds_a_projection_anew_and_locks_older_programs_out(address: str) -> None:
    with Fairdeal(address, projections=[Words()]) as old, Fairdeal(address, projections=[MoreWords()]) as new:
        fill(old.ledger, old.codec, 100, tables=6)
        old.read.catch_up()
        with old.read.database.writing() as connection:
            connection.execute(update(PARTS).values(word="old"))
        new.read.catch_up()
        assert {word for _, word in rows(new.read.database, [PARTS])["parts"]} - {"old"}
        with new.read.database.reading() as connection:
            query = select(POSITIONS.c.version, POSITIONS.c.position).where(POSITIONS.c.projection == "words")
            assert connection.execute(query).one() == (2, new.ledger.head())
        with pytest.raises(NewerReadModel):
            old.read.games()
        with pytest.raises(NewerReadModel):
            old.read.catch_up()


def test_a_projection_that_comes_later_catches_up_from_the_beginning(address: str) -> None:
    with Fairdeal(address) as fairdeal:
        fill(fairdeal.ledger, fairdeal.codec, 300, tables=6)
        fairdeal.read.catch_up()
    with Fairdeal(address, projections=[Words()]) as fairdeal:
        fill(fairdeal.ledger, fairdeal.codec, 30, tables=6, first=500)
        assert fairdeal.read.games().items
        assert len(rows(fairdeal.read.database, [PARTS])["parts"]) == fairdeal.ledger.head()


def test_an_engine_in_memory_can_be_rebuilt_too(fairdeal: Fairdeal, elsewhere: str) -> None:
    from sqlalchemy.pool import StaticPool

    fill(fairdeal.ledger, fairdeal.codec, 100, tables=6)
    engine = create_engine("sqlite://", poolclass=StaticPool)
    read = ReadSide(fairdeal.ledger, fairdeal.codec, fairdeal.kinds, address="memory:", where=engine)
    read.catch_up()
    read.rebuild()
    assert rows(read.database) == clean_run(fairdeal, elsewhere)
    engine.dispose()


def test_the_progress_bar_shows_how_far_it_is() -> None:
    out = io.StringIO()
    draw = bar(out)
    for position in (0, 50, 100):
        draw(Progress(position=position, head=100))
    assert "[...............]"[1:-1] in out.getvalue()
    assert f"[{'#' * 15}{'.' * 15}] 50/100 events" in out.getvalue()
    assert f"[{'#' * 30}] 100/100 events" in out.getvalue()
    assert out.getvalue().endswith("\n")
    assert Progress(position=0, head=0).share == 1.0


def test_a_rebuild_can_be_started_from_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"sqlite:///{tmp_path / 'games.db'}"
    with Fairdeal(address) as fairdeal:
        stored = fill(fairdeal.ledger, fairdeal.codec, 100, tables=6)
    monkeypatch.setattr("os.nice", int)
    assert main([address, "--rebuild"]) == 0
    assert f"{stored}/{stored} events" in capsys.readouterr().err
    assert main(["nonsense:"]) == 1
    assert "nonsense" in capsys.readouterr().err
