"""The event catalogue says what the code says."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from fairdeal.application.catalogue import KINDS
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.domain.kernel.upcast import Upcast
from fairdeal.domain.kings_corners.game import KINGS_CORNERS
from fairdeal.testing import changed
from tools.event_catalogue import page

PLAIN: AnyRules = KINGS_CORNERS
PAGE = Path(__file__).resolve().parents[2] / "docs" / "event-catalogue.md"


class Pace(StrEnum):
    """How fast."""

    SLOW = "slow"
    QUICK = "quick"


@dataclass(frozen=True, slots=True)
class Prize:
    gold: int


@dataclass(frozen=True, slots=True)
class Choices:
    rounds: int = 3
    pace: Pace = Pace.SLOW


@dataclass(frozen=True, slots=True)
class Purse:
    """What one stakes."""

    prizes: tuple[Prize | None, ...]


def test_the_page_is_current() -> None:
    current = PAGE.read_text(encoding="utf-8") == page(KINDS.values())
    assert current, "docs/event-catalogue.md is out of date: run `make docs`"


def test_a_stored_event_is_named_with_its_fields_their_types_and_what_it_means() -> None:
    assert (
        "**`kings_corners.card_drawn.v1`** The card is its owner's secret.\n- `seat: int`\n- `card: Card | None`\n"
    ) in page([PLAIN])


def test_options_presets_and_what_players_bring_are_listed() -> None:
    told = page([changed(PLAIN, options=Choices, presets={"long": Choices(9, Pace.QUICK)}, brings=Purse)])
    assert "- `rounds: int = 3`\n- `pace: Pace = slow`\n" in told
    assert "- preset `long`: rounds = 9, pace = quick\n" in told
    assert "**`Purse`** What one stakes.\n- `prizes: tuple[Prize | None, ...]`\n" in told


def test_the_types_inside_the_fields_are_explained_too() -> None:
    told = page([changed(PLAIN, options=Choices, presets={"short": Choices()}, brings=Purse)])
    assert "**`Pace`** How fast.\n\n`slow` `quick`\n" in told
    assert "**`Prize`**\n- `gold: int`\n" in told


def test_names_of_older_shapes_are_listed_with_what_they_are_read_as() -> None:
    told = page([changed(PLAIN, upcasts={"card_taken.v1": Upcast("card_drawn.v1", dict)})])
    assert "`kings_corners.card_taken.v1` is read as `kings_corners.card_drawn.v1`." in told
