"""Figures for Prometheus, in a registry of the app's own."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.exposition import generate_latest

from fairdeal.application.commands.observing import DONE, CommandObserved
from fairdeal.domain.kernel.refusals import FairdealError
from fairdeal.service import Fairdeal


class Metrics:
    """What a server counts; never who, never which game."""

    def __init__(self, fairdeal: Fairdeal) -> None:
        self._fairdeal = fairdeal
        self._registry = CollectorRegistry()
        self.commands = Counter(
            "fairdeal_commands",
            "Commands by name, kind of game and outcome.",
            ["command", "kind", "outcome"],
            registry=self._registry,
        )
        self._command_seconds = Histogram(
            "fairdeal_command_seconds", "Time per command.", ["kind", "command"], registry=self._registry
        )
        self.requests = Histogram(
            "fairdeal_request_seconds", "Time per request.", ["method", "route", "status"], registry=self._registry
        )
        self.streams = Gauge("fairdeal_streams", "Open event streams.", registry=self._registry)
        self.bots = Counter("fairdeal_bot_moves", "Moves of bots.", registry=self._registry)
        self._found: dict[tuple[str, str, str], tuple[Counter, Histogram]] = {}
        self._lag = Gauge(
            "fairdeal_projection_lag", "Records that the read models are behind.", registry=self._registry
        )

    def observe(self, observed: CommandObserved) -> None:
        """Told of every command, also of those that bots and the clock send."""
        counted, seconds = self._of(observed.command, observed.kind or "", observed.code)
        counted.inc()
        seconds.observe(observed.milliseconds / 1000)
        if observed.by == "bot" and observed.code == DONE:
            self.bots.inc()

    def _of(self, command: str, kind: str, outcome: str) -> tuple[Counter, Histogram]:
        """Finding a figure by its labels takes longer than counting, so it is done once."""
        found = self._found.get((command, kind, outcome))
        if found is None:
            found = (self.commands.labels(command, kind, outcome), self._command_seconds.labels(kind, command))
            self._found[command, kind, outcome] = found
        return found

    def text(self) -> bytes:
        try:
            progress = self._fairdeal.read.progress()
            self._lag.set(progress.head - progress.position)
        except FairdealError:
            self._lag.set(float("nan"))
        return generate_latest(self._registry)
