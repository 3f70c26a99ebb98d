"""What wakes a runner on PostgreSQL: its own ledger, now and then the clock, and nobody else."""

from time import monotonic
from uuid import uuid4

import pytest

from fairdeal import Fairdeal, OpenGame
from fairdeal.application.ports import Ledger
from fairdeal.infrastructure.readmodels.folding import runner as runner_module
from fairdeal.infrastructure.readmodels.folding.projector import Projector
from fairdeal.infrastructure.readmodels.folding.runner import Runner
from fairdeal.infrastructure.readmodels.folding.same_ledger import Followed, followed
from fairdeal.infrastructure.wakeup import AT_LEAST_EVERY_SECONDS, NotifyWakeup
from kits.postgres import new_schema
from kits.waiting import until

NEVER = 3600.0


def opened(fairdeal: Fairdeal, number: int = 0) -> None:
    fairdeal.handle(OpenGame(player="ann", kind="kings_corners", command_id=f"open {number}"))


def rung_runner(fairdeal: Fairdeal, address: str) -> Runner:
    """A runner that no clock wakes."""
    read = fairdeal.read
    projector = Projector(read.database, fairdeal.ledger, fairdeal.codec, read.projections)
    return Runner(projector, fairdeal.ledger, NotifyWakeup(address, at_least_every=NEVER), first=lambda: None)


def questions_of_runners(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """From which position a runner asks the ledger what there is, each time it does."""
    asked: list[int] = []

    def remembering(ledger: Ledger, position: int, link: str | None) -> Followed:
        asked.append(position)
        return followed(ledger, position, link)

    monkeypatch.setattr(runner_module, "followed", remembering)
    return asked


def test_a_runner_is_woken_by_its_own_ledger_and_not_by_its_neighbours(
    postgres_server: str, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Fairdeal(postgres) as mine, Fairdeal(new_schema(postgres_server)) as neighbour:
        asked = questions_of_runners(monkeypatch)
        with rung_runner(mine, postgres).start() as runner:
            until(lambda: asked == [0, 0])  # at the start, and once more when it listens
            for number in range(20):
                opened(neighbour, number)
            # Notifications arrive in the order of the commits: any of the neighbour's would have come before.
            opened(mine)
            until(lambda: runner.status.position == 1)
        assert asked[2:] in ([0], [0, 1], [0, 1, 1]), "when it was rung, and perhaps again before it was stopped"


def test_a_waiting_runner_asks_only_when_it_is_time(postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with Fairdeal(postgres) as fairdeal:
        asked = questions_of_runners(monkeypatch)
        before = monotonic()
        with fairdeal.read.start_runner():
            until(lambda: len(asked) >= 4)  # at the start, when it listens, and twice by the clock
        assert monotonic() - before > 1.9 * AT_LEAST_EVERY_SECONDS


def test_a_schema_with_the_longest_name_has_a_bell_too(postgres_server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    address = new_schema(postgres_server, uuid4().hex.ljust(63, "x"))
    with Fairdeal(address) as fairdeal:
        asked = questions_of_runners(monkeypatch)
        with rung_runner(fairdeal, address).start() as runner:
            until(lambda: len(asked) == 2)
            opened(fairdeal)
            until(lambda: runner.status.position == 1)
