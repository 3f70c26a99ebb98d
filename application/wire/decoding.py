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

    def look(self, plain: Plain) -> Look[Any, Any]:
        kind = self.kind(plain["kind"])
        return Look(
            game_id=UUID(plain["game"]),
            kind=plain["kind"],
            version=plain["version"],
            phase=Phase(plain["phase"]),
            options=kind.options(plain["options"]),
            opener=plain["opener"],
            players=tuple(plain["players"]),
            names=tuple(plain["names"]),
            seat=plain["seat"],
            active=tuple(plain["active"]),
            view=kind.view(plain["view"]),
            legal=tuple(kind.move(move) for move in plain["legal"]),
            outcome=msgspec.convert(plain["outcome"], Outcome | None),
            commitment=plain["commitment"],
            seed=plain["seed"],
            receipt=Receipt.read(plain["receipt"]),
            clock=msgspec.convert(plain["clock"], LookClock | None),
            rated=plain["rated"],
            spectators=plain["spectators"],
            move_names=kind.move_names,
        )

    def answer(self, plain: Plain) -> Answer:
        return Answer(
            UUID(plain["game"]), plain["version"], self.events(plain["events"]), Receipt.read(plain["receipt"])
        )

    def events(self, plain: Sequence[Plain]) -> tuple[SeenEvent, ...]:
        return tuple(self.event(event) for event in plain)

    def event(self, plain: Plain) -> SeenEvent:
        """An event is read as what its stored name says."""
        name: str = plain["name"]
        event = self.kind(name.partition(".")[0]).event(name, plain["event"])
        return SeenEvent(plain["version"], name, event, plain["line"], plain["at"], plain["by"])

    def frame(self, plain: Plain, kind: str) -> Frame:
        """Who had to act then is not part of a frame that was sent."""
        return Frame(
            game_id=UUID(plain["game"]),
            version=plain["version"],
            at=plain["at"],
            by=plain["by"],
            line=plain["line"],
            event=None if plain["event"] is None else self.event(plain["event"]),
            view=self.kind(kind).view(plain["view"]),
            active=(),
            places=tuple(Place(place["name"], place["seat"], tuple(place["cards"])) for place in plain["places"]),
            outcome=msgspec.convert(plain["outcome"], Outcome | None),
        )


class WireKind:
    """How the values of one kind of game are read."""

    def __init__(self, rules: AnyRules) -> None:
        self._rules = rules
        self.move_names: Mapping[type, str] = rules.stored.move_names

    def options(self, plain: Any) -> Any:
        return msgspec.convert(plain, self._rules.setup.options)

    def move(self, plain: Plain) -> Any:
        fields = {name: value for name, value in plain.items() if name != "move"}
        return msgspec.convert(fields, self._rules.stored.moves[plain["move"]])

    def view(self, plain: Any) -> Any:
        return None if plain is None else msgspec.convert(plain, self._view_type)

    def event(self, name: str, plain: Any) -> Any:
        if name not in self._classes:
            raise UnknownKind(f"This program does not know the event {name!r}.")
        return msgspec.convert(plain, self._classes[name])

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


def read_report(plain: Plain) -> Report:
    untouched, fair, legal = (msgspec.convert(plain[name], Verdict) for name in ("untouched", "fair", "legal"))
    at_hand = plain["good"] or untouched.bad or fair.bad or legal.bad
    return Report(UUID(plain["game"]), plain["kind"], plain["records"], untouched, fair, legal, rules_at_hand=at_hand)


def read_page(plain: Plain, read: Callable[[Plain], T]) -> Page[T]:
    return Page(items=tuple(read(item) for item in plain["items"]), next=plain["next"])


def read_game(plain: Plain) -> GameSummary:
    return msgspec.convert({**plain, "id": plain["game"]}, GameSummary)


def read_played_game(plain: Plain) -> PlayedGame:
    return PlayedGame(game=read_game(plain), seat=plain["seat"], result=msgspec.convert(plain["result"], Result | None))


def read_player(plain: Plain) -> Player:
    return msgspec.convert({**plain, "name": plain["player"]}, Player)


def read_rating(plain: Plain) -> Rating:
    return msgspec.convert(plain, Rating)


def read_timeline_entry(plain: Plain) -> TimelineEntry:
    return msgspec.convert({**plain, "game_id": plain["game"]}, TimelineEntry)


def read_faults(plain: Sequence[Plain]) -> tuple[FieldFault, ...]:
    return tuple(FieldFault(fault["field"], fault["message"]) for fault in plain)
