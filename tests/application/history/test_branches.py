"""What-if: finished games that go on from one of their versions."""

from functools import partial
from random import Random
from uuid import UUID, uuid4

import pytest

from fairdeal import AbandonGame, Fairdeal, UnknownGame
from fairdeal.application.audit.game import audit
from fairdeal.application.audit.verdicts import Grade
from fairdeal.application.catalogue import KINDS
from fairdeal.application.commands.messages import BranchGame, OpenGame
from fairdeal.application.errors import BeyondHead, CommandIdReused, NoBranch
from fairdeal.domain.kernel.lifecycle import GameBranched
from fairdeal.testing.recorded import CODEC, recorded_game, relinked
from kits.audit import Payload, batch_ends, first, forged
from kits.verifier import VERIFIER


def played(fairdeal: Fairdeal, kind: str) -> UUID:
    records = recorded_game(KINDS[kind])
    fairdeal.ledger.append(records)
    return records[0].game_id


def play_on(fairdeal: Fairdeal, game: UUID) -> None:
    rng = Random(3)
    while active := (look := fairdeal.look(game)).active:
        player = look.players[rng.choice(active)]
        fairdeal.move(game, player, rng.choice(fairdeal.look(game, player).legal))


@pytest.mark.parametrize("kind", KINDS)
def test_a_branch_goes_on_from_its_version_and_is_audited_against_its_origin(fairdeal: Fairdeal, kind: str) -> None:
    origin = played(fairdeal, kind)
    records = fairdeal.ledger.records(origin)
    version = batch_ends(records)[5]
    answer = fairdeal.branch(origin, version, "zoe")
    branch = answer.game_id
    assert GameBranched(str(origin), version, records[version - 1].link.hex()) in answer.events
    then = fairdeal.replay(origin, "ann").go_to(version)
    assert fairdeal.look(branch, "ann").view == then.view
    assert fairdeal.look(branch).active == then.active
    play_on(fairdeal, branch)
    report = fairdeal.audit(branch)
    assert (report.untouched.grade, report.fair.grade, report.legal.grade) == (Grade.YES, Grade.BRANCHED, Grade.YES)
    assert "not at hand" not in report.legal.why
    assert VERIFIER.verify(fairdeal.exports.export(branch))[1].startswith("branch")
    assert fairdeal.audit(origin).good


def test_a_branch_stands_alone_but_then_its_beginning_is_not_compared(fairdeal: Fairdeal) -> None:
    origin = played(fairdeal, "pardon")
    branch = fairdeal.branch(origin, batch_ends(fairdeal.ledger.records(origin))[9], "zoe").game_id
    report = audit(fairdeal.ledger.records(branch), CODEC)
    assert report.legal.grade is Grade.NOT_CHECKED
    assert "not at hand" in report.legal.why
    assert not report.bad
    assert not report.good, "not everything could be looked for"


def test_a_branch_of_a_branch(fairdeal: Fairdeal) -> None:
    origin = played(fairdeal, "kings_corners")
    branch = fairdeal.branch(origin, batch_ends(fairdeal.ledger.records(origin))[4], "zoe").game_id
    fairdeal.handle(AbandonGame(player="zoe", game_id=branch))
    second = fairdeal.branch(branch, fairdeal.look(branch).version - 1, "zoe").game_id
    assert fairdeal.audit(second).good
    assert fairdeal.look(second, "bob").view.hand == fairdeal.look(branch, "bob").view.hand


def test_branching_twice_with_one_id_branches_once(fairdeal: Fairdeal) -> None:
    origin = played(fairdeal, "pardon")
    version, other = batch_ends(fairdeal.ledger.records(origin))[3:5]
    command = BranchGame(player="zoe", origin=origin, version=version, command_id="b1")
    assert fairdeal.handle(command) == fairdeal.handle(command)
    with pytest.raises(CommandIdReused):
        fairdeal.branch(origin, other, "zoe", command_id="b1")
    as_data = {"command": "branch_game", "player": "zoe", "origin": origin, "version": version, "command_id": "b1"}
    assert fairdeal.handle(as_data) == fairdeal.handle(command)


def test_where_no_branch_can_begin(fairdeal: Fairdeal) -> None:
    origin = played(fairdeal, "pardon")
    records = fairdeal.ledger.records(origin)
    ends = batch_ends(records)
    inside = next(version for version in range(ends[0], len(records)) if version not in ends)
    for version, code in (
        (1, "before_the_deal"), (len(records), "at_the_end"), (inside, "inside_a_command"),
    ):  # fmt: skip
        with pytest.raises(NoBranch) as refused:
            fairdeal.branch(origin, version, "zoe")
        assert refused.value.code == code
    with pytest.raises(BeyondHead):
        fairdeal.branch(origin, len(records) + 1, "zoe")
    with pytest.raises(UnknownGame):
        fairdeal.branch(uuid4(), 3, "zoe")


def test_a_running_game_and_an_open_table_cannot_be_branched(fairdeal: Fairdeal) -> None:
    running = fairdeal.start_game("pardon", ["ann", "bob"]).game_id
    table = fairdeal.handle(OpenGame(player="ann", kind="pardon")).game_id
    for game in (running, table):
        with pytest.raises(NoBranch) as refused:
            fairdeal.branch(game, 1, "zoe")
        assert refused.value.code == "still_running"


def test_a_branch_whose_beginning_was_forged_is_found_against_its_origin(fairdeal: Fairdeal) -> None:
    origin = played(fairdeal, "kings_corners")
    branch = fairdeal.branch(origin, batch_ends(fairdeal.ledger.records(origin))[6], "zoe").game_id
    records = fairdeal.ledger.records(branch)
    dealt = next(record.version for record in records if "cards_dealt" in record.name)
    log = forged(records, dealt, lambda payload: payload["event"]["deck"].reverse())
    report = audit(log, CODEC, others=fairdeal.ledger.records)
    assert (report.legal.grade, report.legal.record) == (Grade.NO, dealt)
    changes: list[Payload] = [{"origin": str(uuid4())}, {"version": 7}, {"link": "00" * 32}]
    for other in changes:
        log = forged(records, dealt - 1, partial(change_event, other=other))
        assert audit(log, CODEC, others=fairdeal.ledger.records).legal.record == dealt - 1


def change_event(payload: Payload, other: Payload) -> None:
    payload["event"].update(other)


def test_a_branch_that_does_not_begin_like_one_is_found_without_its_origin(fairdeal: Fairdeal) -> None:
    origin = played(fairdeal, "kings_corners")
    branch = fairdeal.branch(origin, batch_ends(fairdeal.ledger.records(origin))[6], "zoe").game_id
    records = fairdeal.ledger.records(branch)
    branched = first(records, "game_branched")
    elsewhere = forged(records, branched, lambda payload: payload["event"].update(version=7))
    assert audit(elsewhere, CODEC).legal.record == branched
    rows = [(record.name, record.payload) for record in records]
    rows[1], rows[branched - 2] = rows[branched - 2], rows[1]
    disordered = relinked(CODEC.seed_of(records[0]), branch, rows)
    assert audit(disordered, CODEC).legal.record == 1
