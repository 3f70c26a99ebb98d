"""`changed`: the same rules with something replaced."""

import pytest

from fairdeal.domain.red7.game import RED7
from fairdeal.testing import changed


def nobody(state: object) -> tuple[int, ...]:
    return ()


def test_a_function_of_a_group_is_replaced_by_its_own_name() -> None:
    other = changed(RED7, active=nobody)
    assert other.play.active is nobody
    assert other.play.decide is RED7.play.decide
    assert RED7.play.active is not nobody


def test_fields_of_several_groups_and_of_the_rules_themselves_at_once() -> None:
    other = changed(RED7, kind="seven", presets={}, bots={}, upcasts={})
    assert (other.kind, other.setup.presets, other.bots, other.stored.upcasts) == ("seven", {}, {}, {})
    assert other.eyes == RED7.eyes
    assert other.voice == RED7.voice


def test_a_whole_group_can_be_replaced() -> None:
    assert changed(RED7, eyes=RED7.eyes) == RED7


def test_a_name_that_rules_do_not_have_is_refused() -> None:
    with pytest.raises(TypeError, match="rules have no decision, vew"):
        changed(RED7, vew=nobody, decision=nobody, active=nobody)
