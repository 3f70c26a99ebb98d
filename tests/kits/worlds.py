"""Worlds that a viewer cannot tell apart: one log, and the same with hidden cards exchanged."""

from typing import Any

from fairdeal.application.log.record import Record
from fairdeal.domain.kernel.game import Game
from fairdeal.domain.kernel.lifecycle import LIFECYCLE
from fairdeal.domain.kernel.lobby import Lobby
from fairdeal.testing.recorded import CODEC, relinked
from fairdeal.testing.snapshot import exchange


def batches_of(records: list[Record]) -> list[list[Record]]:
    """What each command stored."""
    found: list[list[Record]] = []
    for record in records:
        if CODEC.batch(record) is not None:
            found.append([])
        found[-1].append(record)
    return found


def always_hidden(records: list[Record], viewer: str | None) -> list[Any]:
    """The cards that this viewer could not see at any time: they are hidden now, and never lay anywhere to be seen."""
    rules = CODEC.rules_of(records[0])
    opened, *others = CODEC.events(records)
    game = Game(records[0].game_id, rules, Lobby(opened))
    hidden: dict[Any, None] = {}
    seen: set[Any] = set()
    for event in others:
        game.apply(event)
        if game.state is not None:
            hidden = dict.fromkeys(rules.eyes.hidden(game.state, game.seat_of(viewer)))
            seen.update(card for place in rules.eyes.places(game.state) for card in place.cards if card not in hidden)
    return [card for card in hidden if card not in seen]


def another_world(records: list[Record], viewer: str | None) -> list[Record]:
    """The same log, but that what stays hidden from the viewer has changed places among itself."""
    rules, seed = CODEC.rules_of(records[0]), CODEC.seed_of(records[0])
    secrets = always_hidden(records, viewer)
    swaps = dict(zip(secrets, secrets[1:] + secrets[:1], strict=True))
    written: list[tuple[str, bytes]] = []
    for stored in batches_of(records):
        batch = CODEC.batch(stored[0])
        assert batch is not None
        events = [event if type(event) in LIFECYCLE else exchange(event, swaps) for event in CODEC.events(stored)]
        written += CODEC.write(rules, events, batch)
    return relinked(seed, records[0].game_id, written)


def without_its_end(records: list[Record]) -> list[Record]:
    """The last command ends a game, and then everything is shown."""
    return records[: sum(map(len, batches_of(records)[:-1]))]
