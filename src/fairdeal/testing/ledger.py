"""The contract that every ledger keeps; give two fixtures and inherit the tests.

class TestMyLedger(LedgerContract):
    @pytest.fixture
    def ledger(self) -> Ledger:
        return my_ledger()

    @pytest.fixture
    def twin(self, ledger: Ledger) -> Ledger:  # the same database opened once more, or the same ledger
        return ledger
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from typing import TypeVar
from uuid import UUID, uuid4

from fairdeal.application.errors import LedgerUnavailable, VersionConflict
from fairdeal.application.log.links import NOTHING_YET, Head
from fairdeal.application.log.record import Record
from fairdeal.application.ports import Append, Ledger

THREADS = 8
NONE = type(None)

T = TypeVar("T")
R = TypeVar("R")


def some_records(game_id: UUID, first: int, count: int = 1, *, name: str = "some_game.something.v1") -> list[Record]:
    """Records of a game from a version on; the link tells them apart."""
    return [
        Record(game_id, version, name, f'{{"event":{{"at":{version},"é":"ß"}}}}'.encode(), uuid4().bytes * 2)
        for version in range(first, first + count)
    ]


class LedgerContract:
    """What a ledger owes to those who store games in it, whatever it is made of."""

    def test_what_was_stored_is_read_back_byte_for_byte_and_in_order(self, ledger: Ledger) -> None:
        game = uuid4()
        records = some_records(game, 1, 3)
        ledger.append(records[:2])
        ledger.append(records[2:], continues=head_of(records[:2]))
        assert list(ledger.records(game)) == records

    def test_any_bytes_can_be_stored(self, ledger: Ledger) -> None:
        record = Record(uuid4(), 1, "some_game.ünïcode_☃.v1", bytes(range(256)) * 300, bytes(range(32)))
        ledger.append([record])
        assert list(ledger.records(record.game_id)) == [record]

    def test_a_part_of_a_game_can_be_read(self, ledger: Ledger) -> None:
        game = uuid4()
        records = some_records(game, 1, 5)
        ledger.append(records)
        assert list(ledger.records(game, after=2)) == records[2:]
        assert list(ledger.records(game, up_to=2)) == records[:2]
        assert list(ledger.records(game, after=1, up_to=3)) == records[1:3]
        assert list(ledger.records(game, after=5)) == []

    def test_a_game_that_does_not_exist_has_no_records(self, ledger: Ledger) -> None:
        assert list(ledger.records(uuid4())) == []

    def test_games_do_not_mix(self, ledger: Ledger) -> None:
        one, other = uuid4(), uuid4()
        ledger.append(some_records(one, 1, 2))
        ledger.append(some_records(other, 1, 3))
        assert [record.game_id for record in ledger.records(one)] == [one] * 2

    def test_a_version_is_stored_once(self, ledger: Ledger) -> None:
        game = uuid4()
        records = some_records(game, 1, 2)
        ledger.append(records)
        assert_conflict(ledger, some_records(game, 2), head_of(records[:1]))
        assert list(ledger.records(game)) == records

    def test_a_game_begins_once(self, ledger: Ledger) -> None:
        game = uuid4()
        records = some_records(game, 1, 2)
        ledger.append(records)
        assert_conflict(ledger, some_records(game, 1, 2))
        assert_conflict(ledger, records)
        assert list(ledger.records(game)) == records

    def test_nothing_is_stored_after_a_version_that_is_not_there(self, ledger: Ledger) -> None:
        game, unknown = uuid4(), uuid4()
        records = some_records(game, 1, 5)
        ledger.append(records[:2])
        before = ledger.head()
        assert_conflict(ledger, records[4:], head_of(records[:4]))
        assert_conflict(ledger, some_records(unknown, 2), (1, records[0].link))
        assert list(ledger.records(game)) == records[:2]
        assert list(ledger.records(unknown)) == []
        assert ledger.head() == before

    def test_nothing_is_stored_after_a_record_with_another_link(self, ledger: Ledger) -> None:
        game = uuid4()
        records = some_records(game, 1, 3)
        ledger.append(records[:2])
        assert_conflict(ledger, records[2:], (2, some_records(game, 2)[0].link))
        assert_conflict(ledger, records[2:], (2, records[0].link))
        assert list(ledger.records(game)) == records[:2]
        ledger.append(records[2:], continues=head_of(records[:2]))

    def test_what_has_a_hole_in_itself_is_refused(self, ledger: Ledger) -> None:
        game = uuid4()
        wrong = [
            some_records(game, 2),
            [*some_records(game, 1), *some_records(game, 3)],
            [*some_records(game, 1), *some_records(uuid4(), 2)],
        ]
        for records in wrong:
            try:
                ledger.append(records)
            except ValueError:
                continue
            raise AssertionError("records with a hole were stored")
        assert list(ledger.records(game)) == []

    def test_a_big_batch_is_stored_whole_or_not_at_all(self, ledger: Ledger) -> None:
        game = uuid4()
        records = some_records(game, 1, 1000)
        ledger.append(records)
        assert list(ledger.records(game)) == records
        before = ledger.head()
        assert_conflict(ledger, some_records(game, 1000, 1000), head_of(records[:999]))
        assert list(ledger.records(game)) == records
        assert ledger.head() == before

    def test_nothing_to_store_is_not_an_error(self, ledger: Ledger) -> None:
        before = ledger.head()
        ledger.append([])
        assert ledger.head() == before

    def test_positions_are_given_in_order_and_without_gaps(self, ledger: Ledger) -> None:
        start = ledger.head()
        games = [uuid4() for _ in range(3)]
        heads = dict.fromkeys(games, NOTHING_YET)
        for version in (1, 3):
            for game in games:
                records = some_records(game, version, 2)
                ledger.append(records, continues=heads[game])
                assert_conflict(ledger, some_records(game, version, 2), heads[game])
                heads[game] = head_of(records)
        found = ledger.since(start, 100)
        assert [position for position, _ in found] == list(range(start + 1, start + 13))
        expected = [(game, version + more) for version in (1, 3) for game in games for more in (0, 1)]
        assert [(record.game_id, record.version) for _, record in found] == expected
        assert ledger.head() == start + 12

    def test_what_is_read_by_position_is_what_was_stored(self, ledger: Ledger) -> None:
        start = ledger.head()
        records = some_records(uuid4(), 1, 5)
        ledger.append(records)
        assert [record for _, record in ledger.since(start, 3)] == records[:3]
        assert [record for _, record in ledger.since(start + 3, 3)] == records[3:]
        assert list(ledger.since(start + 5, 3)) == []

    def test_all_games_can_be_listed_by_their_ids_piece_by_piece(self, ledger: Ledger) -> None:
        games = sorted(uuid4() for _ in range(5))
        for game in games:
            ledger.append(some_records(game, 1, 2))
        assert [game for game in ledger.game_ids(None, 1000) if game in games] == games
        assert games[1] not in ledger.game_ids(games[1], 1000)
        assert len(ledger.game_ids(None, 2)) == 2
        assert not [game for game in ledger.game_ids(games[-1], 1000) if game <= games[-1]]

    def test_of_several_appends_at_once_each_is_stored_whole_or_not_at_all(self, ledger: Ledger) -> None:
        taken, one, other = uuid4(), uuid4(), uuid4()
        ledger.append(some_records(taken, 1))
        start = ledger.head()
        first, second, third = some_records(one, 1, 2), some_records(other, 1, 3), some_records(one, 3)
        errors = ledger.append_all(
            [
                Append(first),
                Append(some_records(taken, 1, 2)),
                Append(second),
                Append(third, head_of(first)),
                Append(some_records(other, 3), head_of(second[:2])),
            ]
        )
        assert [type(error) for error in errors] == [NONE, VersionConflict, NONE, NONE, VersionConflict]
        assert list(ledger.records(one)) == [*first, *third]
        assert list(ledger.records(other)) == second
        assert len(ledger.records(taken)) == 1
        assert [record for _, record in ledger.since(start, 10)] == [*first, *second, *third]
        assert ledger.append_all([]) == []
        assert ledger.head() == start + 6

    def test_of_several_appends_at_once_only_those_are_stored_that_continue_their_game(self, ledger: Ledger) -> None:
        played = [some_records(uuid4(), 1, 3) for _ in range(6)]
        for records in played:
            ledger.append(records)
        start = ledger.head()
        goes_on, set_back, other_link, has_a_hole, same_link_elsewhere, again = (
            records[0].game_id for records in played
        )
        new, never_begun = uuid4(), uuid4()
        fitting = {goes_on: some_records(goes_on, 4, 3), new: some_records(new, 1, 2)}
        appends = [
            Append(some_records(set_back, 3, 2), head_of(played[1][:2])),
            Append(fitting[goes_on], head_of(played[0])),
            Append(some_records(other_link, 4), (3, played[2][1].link)),
            Append(some_records(has_a_hole, 6, 2), (5, uuid4().bytes * 2)),
            Append(some_records(same_link_elsewhere, 5), (4, played[4][-1].link)),
            Append(fitting[new]),
            Append(some_records(again, 1)),
            Append(some_records(never_begun, 2), (1, uuid4().bytes * 2)),
        ]
        errors = ledger.append_all(appends)
        assert [type(error) for error in errors] == [
            NONE if append.records[0].game_id in fitting else VersionConflict for append in appends
        ]
        expected = [*fitting[goes_on], *fitting[new]]
        assert list(ledger.since(start, 100)) == list(enumerate(expected, start + 1))

    def test_one_of_many_threads_stores_a_version(self, ledger: Ledger) -> None:
        game = uuid4()
        head = NOTHING_YET
        for version in (1, 3, 5, 7):
            attempts = [some_records(game, version, 2) for _ in range(THREADS)]
            stored = at_once(partial(try_to_append, ledger, continues=head), attempts)
            assert sum(stored) == 1
            records = attempts[stored.index(True)]
            assert list(ledger.records(game, after=version - 1)) == records
            head = head_of(records)

    def test_one_conflict_hurts_nobody_else(self, ledger: Ledger) -> None:
        taken = uuid4()
        ledger.append(some_records(taken, 1))
        games = [uuid4() for _ in range(THREADS)]

        def play(game: UUID) -> int:
            conflicts, head = 0, NOTHING_YET
            for version in range(1, 41, 2):
                records = some_records(game, version, 2)
                ledger.append(records, continues=head)
                head = head_of(records)
                conflicts += not try_to_append(ledger, some_records(taken, 1))
            return conflicts

        assert at_once(play, games) == [20] * THREADS
        for game in games:
            assert [record.version for record in ledger.records(game)] == list(range(1, 41))
        assert len(ledger.records(taken)) == 1

    def test_batches_stay_together_and_positions_have_no_gaps_with_many_threads(self, ledger: Ledger) -> None:
        start = ledger.head()
        batches = [[some_records(uuid4(), 1, 3) for _ in range(10)] for _ in range(THREADS)]

        def store(mine: Sequence[Sequence[Record]]) -> None:
            for batch in mine:
                ledger.append(batch)

        at_once(store, batches)
        found = ledger.since(start, 1000)
        assert [position for position, _ in found] == list(range(start + 1, start + 1 + 30 * THREADS))
        for at in range(0, len(found), 3):
            together = [record for _, record in found[at : at + 3]]
            assert [record.version for record in together] == [1, 2, 3]
            assert len({record.game_id for record in together}) == 1

    def test_a_reader_never_finds_records_before_the_position_it_has_reached(
        self, ledger: Ledger, twin: Ledger
    ) -> None:
        start = ledger.head()
        rounds = 15

        def store(into: Ledger) -> None:
            for _ in range(rounds):
                into.append(some_records(uuid4(), 1, 2))

        with ThreadPoolExecutor(5) as pool:
            writers = [pool.submit(store, into) for into in (ledger, twin, ledger, twin)]
            seen: list[int] = []
            while len(seen) < rounds * 4 * 2:
                seen += [position for position, _ in ledger.since(seen[-1] if seen else start, 7)]
                if all(writer.done() for writer in writers):
                    seen += [position for position, _ in ledger.since(seen[-1] if seen else start, 1000)]
                    break
            for writer in writers:
                writer.result()
        assert seen == list(range(start + 1, start + 1 + rounds * 4 * 2))

    def test_several_ledgers_on_one_database_see_each_other(self, ledger: Ledger, twin: Ledger) -> None:
        game = uuid4()
        records = some_records(game, 1, 4)
        ledger.append(records[:2])
        twin.append(records[2:], continues=head_of(records[:2]))
        assert list(ledger.records(game)) == list(twin.records(game)) == records
        assert ledger.head() == twin.head()
        assert_conflict(twin, some_records(game, 2), head_of(records[:1]))
        assert_conflict(ledger, some_records(game, 3, 2), head_of(records[:2]))

    def test_what_can_be_read_can_be_confirmed(self, ledger: Ledger) -> None:
        ledger.confirm()
        ledger.append(some_records(uuid4(), 1))
        ledger.confirm()
        assert ledger.head() == 1

    def test_a_closed_ledger_says_so_and_can_be_closed_again(self, ledger: Ledger) -> None:
        game = uuid4()
        ledger.append(some_records(game, 1))
        ledger.close()
        ledger.close()
        attempts: list[Callable[[], object]] = [
            lambda: ledger.append(some_records(game, 2)),
            lambda: ledger.records(game),
            lambda: ledger.since(0, 1),
            ledger.head,
            lambda: ledger.game_ids(None, 1),
            ledger.confirm,
        ]
        for attempt in attempts:
            try:
                attempt()
            except LedgerUnavailable:
                continue
            raise AssertionError("a closed ledger went on")


def head_of(records: Sequence[Record]) -> Head:
    """The head of a game whose last records these are."""
    return records[-1].version, records[-1].link


def try_to_append(ledger: Ledger, records: Sequence[Record], continues: Head = NOTHING_YET) -> bool:
    try:
        ledger.append(records, continues=continues)
    except VersionConflict:
        return False
    return True


def assert_conflict(ledger: Ledger, records: Sequence[Record], continues: Head = NOTHING_YET) -> None:
    assert not try_to_append(ledger, records, continues), f"version {records[0].version} was stored, but must not be"


def at_once(call: Callable[[T], R], things: Sequence[T]) -> list[R]:
    """What comes of each thing, all of them called for by threads of their own at the same time."""
    together = Barrier(len(things))

    def wait_and_call(thing: T) -> R:
        together.wait()
        return call(thing)

    with ThreadPoolExecutor(len(things)) as pool:
        return list(pool.map(wait_and_call, things))
