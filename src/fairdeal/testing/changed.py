"""The same rules with something replaced: for planted faults and for games that differ in one thing."""

from dataclasses import fields, is_dataclass, replace
from typing import Any

from fairdeal.domain.kernel.rules import AnyRules


def changed(rules: AnyRules, **replaced: Any) -> AnyRules:
    """`changed(RED7, kind="seven", decide=lenient)`: every field of the rules and of their groups by its own name."""
    own = {one.name for one in fields(rules)}
    new: dict[str, Any] = {name: replaced.pop(name) for name in own & replaced.keys()}
    for group in own - new.keys():
        held = getattr(rules, group)
        if is_dataclass(held) and not isinstance(held, type):
            inside = {one.name: replaced.pop(one.name) for one in fields(held) if one.name in replaced}
            new[group] = replace(held, **inside)
    if replaced:
        raise TypeError(f"rules have no {', '.join(sorted(replaced))}")
    return replace(rules, **new)
