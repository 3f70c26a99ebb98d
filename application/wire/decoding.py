"""JSON that a service handed on, read back into the values of the library: for those who play over a network."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeVar, cast, get_type_hints
from uuid import UUID

import msgspec

from fairdeal.application.audit.verdicts import Report, Verdict
from fairdeal.application.commands.handlers import Answer
from fairdeal.application.errors import FieldFault, UnknownKind
from fairdeal.application.history.look import Look, LookClock
from fairdeal.application.history.replay import Frame
from fairdeal.application.log.codec import stored_classes
from fairdeal.application.log.record import Receipt
from fairdeal.application.log.seen_event import SeenEvent
from fairdeal.application.projections.public_event import Result
from fairdeal.application.projections.results import GameSummary, Page, PlayedGame, Player, Rating, TimelineEntry
from fairdeal.domain.kernel.lobby import Outcome, Phase
from fairdeal.domain.kernel.places import Place
from fairdeal.domain.kernel.rules import AnyRules

Plain = Mapping[str, Any]
T = TypeVar("T")


class WireDecoder:
    """Reads what `to_json` wrote, for the kinds of games that are at hand here."""

    def __init__(self, kinds: Mapping[str, AnyRules]) -> None:
        self._kinds = {kind: WireKind(rules) for kind, rules in kinds.items()}

    def kind(self, kind: str) -> "WireKind":
        if kind not in self._kinds:
            raise UnknownKind(f"This program does not know the game {kind!r}.")
        return self._kinds[kind]

    def look(self, said: Plain) -> Look[Any, Any]:
        kind = self.kind(said["kind"])
        return Look(
            game_id=UUID(said["game"]),
            kind=said["kind"],
            version=said["version"],
            phase=Phase(said["phase"]),
            options=kind.options(said["options"]),
            opener=said["opener"],
            players=tuple(said["players"]),
            names=tuple(said["names"]),
            seat=said["seat"],
            active=tuple(said["active"]),
            view=kind.view(said["view"]),
            legal=tuple(kind.move(move) for move in said["legal"]),
            outcome=msgspec.convert(said["outcome"], Outcome | None),
            commitment=said["commitment"],
            seed=said["seed"],
            receipt=Receipt.read(said["receipt"]),
            clock=msgspec.convert(said["clock"], LookClock | None),
            rated=said["rated"],
            spectators=said["spectators"],
            move_names=kind.move_names,
        )

    def answer(self, said: Plain) -> Answer:
        return Answer(UUID(said["game"]), said["version"], self.events(said["events"]), Receipt.read(said["receipt"]))

    def events(self, said: Sequence[Plain]) -> tuple[SeenEvent, ...]:
        return tuple(self.event(event) for event in said)

    def event(self, said: Plain) -> SeenEvent:
        """An event is read as what its stored name says."""
        name: str = said["name"]
        event = self.kind(name.partition(".")[0]).event(name, said["event"])
        return SeenEvent(said["version"], name, event, said["line"], said["at"], said["by"])

    def frame(self, said: Plain, kind: str) -> Frame:
        """Who had to act then is not part of a frame that was sent."""
        return Frame(
            game_id=UUID(said["game"]),
            version=said["version"],
            at=said["at"],
            by=said["by"],
            line=said["line"],
            event=None if said["event"] is None else self.event(said["event"]),
            view=self.kind(kind).view(said["view"]),
            active=(),
            places=tuple(Place(place["name"], place["seat"], tuple(place["cards"])) for place in said["places"]),
            outcome=msgspec.convert(said["outcome"], Outcome | None),
        )


class WireKind:
    """How the values of one kind of game are read."""

    def __init__(self, rules: AnyRules) -> None:
        self._rules = rules
        self.move_names: Mapping[type, str] = rules.stored.move_names

    def options(self, said: Any) -> Any:
        return msgspec.convert(said, self._rules.setup.options)

    def move(self, said: Plain) -> Any:
        fields = {name: value for name, value in said.items() if name != "move"}
        return msgspec.convert(fields, self._rules.stored.moves[said["move"]])

    def view(self, said: Any) -> Any:
        return None if said is None else msgspec.convert(said, self._view_type)

    def event(self, name: str, said: Any) -> Any:
        if name not in self._classes:
            raise UnknownKind(f"This program does not know the event {name!r}.")
        return msgspec.convert(said, self._classes[name])

    @cached_property
    def _classes(self) -> dict[str, Any]:
        return stored_classes(self._rules)

    @cached_property
    def _view_type(self) -> Any:
        return view_type(self._rules)


def view_type(rules: AnyRules) -> Any:
    """The class of the views, which only the function that makes them knows."""
    view = cast("Callable[..., Any]", inspect.unwrap(rules.eyes.view))
    return get_type_hints(view).get("return", Any)


def read_report(said: Plain) -> Report:
    untouched, fair, legal = (msgspec.convert(said[name], Verdict) for name in ("untouched", "fair", "legal"))
    at_hand = said["good"] or untouched.bad or fair.bad or legal.bad
    return Report(UUID(said["game"]), said["kind"], said["records"], untouched, fair, legal, rules_at_hand=at_hand)


def read_page(said: Plain, read: Callable[[Plain], T]) -> Page[T]:
    return Page(items=tuple(read(item) for item in said["items"]), next=said["next"])


def read_game(said: Plain) -> GameSummary:
    return msgspec.convert({**said, "id": said["game"]}, GameSummary)


def read_played_game(said: Plain) -> PlayedGame:
    return PlayedGame(game=read_game(said), seat=said["seat"], result=msgspec.convert(said["result"], Result | None))


def read_player(said: Plain) -> Player:
    return msgspec.convert({**said, "name": said["player"]}, Player)


def read_rating(said: Plain) -> Rating:
    return msgspec.convert(said, Rating)


def read_timeline_entry(said: Plain) -> TimelineEntry:
    return msgspec.convert({**said, "game_id": said["game"]}, TimelineEntry)


def read_faults(said: Sequence[Plain]) -> tuple[FieldFault, ...]:
    return tuple(FieldFault(fault["field"], fault["message"]) for fault in said)
