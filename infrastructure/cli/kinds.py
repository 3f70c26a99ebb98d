"""The kinds of games that commands know: our own, those of installed packages, and those named with --kinds."""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.resources import files
from typing import TYPE_CHECKING, Any, cast

from fairdeal.domain.kernel.rules import AnyRules, Rules
from fairdeal.infrastructure.cli.output import CannotDo

if TYPE_CHECKING:
    from fairdeal.application.log.codec import Codec

GROUP = "fairdeal.kinds"
"""Packages name their games in this group of entry points: `chess = "my_package.game:CHESS"`."""

MAKERS_COLUMNS = ("| proved by |", "| test |")

_named: list[str] = []


def name_kinds(names: Iterable[str]) -> None:
    """What was typed after --kinds; the register is made anew when it is next asked for."""
    _named[:] = names
    _from_outside.cache_clear()
    kinds.cache_clear()
    codec.cache_clear()


def named_kinds() -> tuple[str, ...]:
    """What --kinds named, for other processes to know the same games."""
    return tuple(_named)


@cache
def kinds() -> Mapping[str, AnyRules]:
    from fairdeal.application.catalogue import KINDS, must_be_a_register

    register = {**KINDS, **_from_outside()}
    must_be_a_register(register)
    return register


def kinds_of(names: Sequence[str]) -> Mapping[str, AnyRules]:
    """The register with the games that --kinds named in another process."""
    name_kinds(names)
    return kinds()


@cache
def _from_outside() -> Mapping[str, AnyRules]:
    found = [rules for entry in entry_points(group=GROUP) for rules in _rules(entry.load(), entry.value)]
    found += [rules for name in _named for rules in _rules(_loaded(name), name)]
    return {rules.kind: rules for rules in found}


@cache
def codec() -> "Codec":
    from fairdeal.application.log.codec import Codec  # a simulation stores nothing

    return Codec(kinds())


def rules_of(kind: str) -> AnyRules:
    """One game. If it is ours, the others are not loaded for it: that takes a fifth of the time of all."""
    ours = None if kind in _from_outside() else _one_of_ours(kind)
    if ours is not None:
        return ours
    if kind not in kinds():
        raise CannotDo(f"There is no game {kind!r}; there are {', '.join(sorted(kinds()))}.")
    return kinds()[kind]


def _one_of_ours(kind: str) -> AnyRules | None:
    try:
        return cast("AnyRules", getattr(import_module(f"fairdeal.domain.{kind}.game"), kind.upper()))
    except (ImportError, AttributeError):
        return None


def options_of(rules: AnyRules, preset: str | None, options: str | None) -> Any:
    """What was typed after --preset or --options; the first preset if it was nothing."""
    presets = rules.setup.presets
    if preset is not None and options is not None:
        raise CannotDo("Give --preset or --options, not both.")
    if preset is not None and preset not in presets:
        raise CannotDo(f"{rules.title} has no preset {preset!r}; there are {', '.join(presets)}.")
    if options is None:
        return next(iter(presets.values())) if preset is None else presets[preset]
    from fairdeal.application.commands.validation import parse_options  # a tenth of a second

    try:
        return parse_options(rules, json.loads(options))
    except ValueError as error:
        raise CannotDo(f"--options is not JSON: {error}.") from None


def page_of(one: AnyRules) -> str:
    """RULES.md stands beside the moves of its game, also in a package from outside."""
    package = next(iter(one.stored.moves.values())).__module__.rpartition(".")[0]
    page = files(package).joinpath("RULES.md") if package else None
    if page is None or not page.is_file():
        raise CannotDo(f"{one.title} has no page of rules (RULES.md beside its moves).")
    return page.read_text(encoding="utf-8")


def page_for_players(one: AnyRules) -> str:
    """The same page without what only its makers read: where the tests are, and which of them proves a ruling."""
    lines = list[str]()
    in_proofs = False
    for line in page_of(one).splitlines():
        in_proofs = line.startswith("|") and (in_proofs or line.endswith(MAKERS_COLUMNS))
        if not line.startswith(("Tests are in ", "Each is proved by a test ")):
            lines.append(line.rpartition("|")[0].rpartition("|")[0] + "|" if in_proofs else line)
    return "\n".join(lines)


def _loaded(name: str) -> object:
    module, _, attribute = name.partition(":")
    try:
        return getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise CannotDo(f"--kinds {name}: {error}; write it as MODULE:NAME.") from error


def _rules(found: object, name: str) -> list[AnyRules]:
    """One kind of game, or a register of several."""
    many = list(cast("Mapping[str, Any]", found).values()) if isinstance(found, Mapping) else [found]
    if not many or not all(isinstance(one, Rules) for one in many):
        raise CannotDo(f"{name} is neither the Rules of a game nor a mapping of such.")
    return cast("list[AnyRules]", many)
