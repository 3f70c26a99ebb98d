"""What users install: wheel, sdist and editable install, on every supported Python."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LAYERS = ("domain", "application", "infrastructure")
PYTHONS = ("3.11", "3.12", "3.13")
HERE = f"{sys.version_info.major}.{sys.version_info.minor}"

# One worker builds once for all of these tests.
pytestmark = pytest.mark.xdist_group("packaging")

# The development environment has the build backend; without it building needs the network.
BACKEND_IS_HERE = (
    Version(metadata.version("setuptools")) in Requirement(SETTINGS["build-system"]["requires"][0]).specifier
)

EVERY_MODULE = """
import importlib, pkgutil, {package} as package
for module in pkgutil.walk_packages(package.__path__, "{package}."):
    importlib.import_module(module.name)
"""


def run(python: str | Path, *arguments: str | Path) -> str:
    """What an isolated Python says, which must succeed: it sees neither the working tree nor PYTHONPATH."""
    command = [str(word) for word in (python, "-I", *arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def interpreter(version: str) -> Path:
    """A Python of that version that really runs: what stands on the path may be a shim that leads nowhere."""
    managed = [
        *Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")).glob(f"versions/{version}*/bin/python"),
        *(Path.home() / ".local/share/uv/python").glob(f"cpython-{version}*/bin/python{version}"),
    ]
    here = [Path(sys.executable)] if version == HERE else []
    on_path = [Path(found)] if (found := shutil.which(f"python{version}")) else []
    script = "import sys, venv; print(*sys.version_info[:2], sep='.')"
    for python in (*here, *on_path, *managed):
        tried = subprocess.run([python, "-c", script], capture_output=True, text=True, check=False)
        if tried.stdout.strip() == version:
            return python
    pytest.skip(f"no Python {version} on this machine: put a `python{version}` that runs on the PATH")


def environment(python: Path, folder: Path) -> Path:
    """A fresh virtual environment, quick because it has no pip of its own; its Python."""
    run(python, "-m", "venv", "--without-pip", folder)
    return folder / "bin" / "python"


def install(python: Path, *what: str | Path) -> None:
    pip = ("-m", "pip", "--disable-pip-version-check", "--python", python, "install", "--quiet")
    run(sys.executable, *pip, "--no-deps", "--no-compile", *what)


def site_packages(python: Path) -> Path:
    return Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())


@contextmanager
def shared_packages(python: Path) -> Generator[None]:
    """Lets an environment see the packages that the tests run with."""
    link = site_packages(python) / "shared.pth"
    link.write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    yield
    link.unlink()


def add_host(python: Path) -> None:
    """What an embedding service may well have: a top-level package called `domain`."""
    host = site_packages(python) / "domain"
    host.mkdir()
    (host / "__init__.py").write_text("OWNER = 'the host'\n", encoding="utf-8")


@pytest.fixture(scope="session")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what is packaged, so that nothing is built into the working tree or comes from an old build."""
    copy = tmp_path_factory.mktemp("tree")
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        if (ROOT / name).exists():
            shutil.copy(ROOT / name, copy)
    for name in (*LAYERS, "src"):
        shutil.copytree(ROOT / name, copy / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def build(tree: Path, output: Path, *kinds: str) -> None:
    run(
        sys.executable,
        "-m",
        "build",
        *(["--no-isolation"] if BACKEND_IS_HERE else []),
        *kinds,
        "--outdir",
        output,
        tree,
    )


@pytest.fixture(scope="session")
def wheel(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("wheel")
    build(tree, output, "--wheel")
    return next(output.glob("*.whl"))


@pytest.fixture(scope="session")
def wheel_by_sdist(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built as an index user builds it: first the sdist, then a wheel from what the sdist holds."""
    output = tmp_path_factory.mktemp("sdist")
    build(tree, output)
    return next(output.glob("*.whl"))


def contents(wheel: Path) -> Mapping[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_a_wheel_from_the_sdist_equals_one_from_the_tree(wheel: Path, wheel_by_sdist: Path) -> None:
    direct, by_sdist = contents(wheel), contents(wheel_by_sdist)
    assert sorted(direct) == sorted(by_sdist)
    assert [name for name in direct if direct[name] != by_sdist[name]] == []


def test_the_wheel_brings_one_top_level_package(wheel: Path) -> None:
    tops = {name.partition("/")[0] for name in contents(wheel)}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"fairdeal"}


def test_the_wheel_holds_every_file_of_the_layers(wheel: Path, tree: Path) -> None:
    files = [path for path in tree.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    shipped = {f"fairdeal/{name}" for layer in LAYERS for name in names_below(files, tree, tree / layer)}
    shipped |= set(names_below(files, tree / "src", tree / "src" / "fairdeal"))
    assert shipped - set(contents(wheel)) == set()


def names_below(files: list[Path], base: Path, folder: Path) -> Iterator[str]:
    return (path.relative_to(base).as_posix() for path in files if path.is_relative_to(folder))


@pytest.mark.parametrize("version", PYTHONS)
def test_the_wheel_imports_and_its_domain_needs_nothing_else(version: str, wheel: Path, tmp_path: Path) -> None:
    python = environment(interpreter(version), tmp_path / "venv")
    install(python, wheel)
    run(python, "-c", "import fairdeal")
    run(python, "-c", EVERY_MODULE.format(package="fairdeal.domain"))


def test_every_module_of_the_wheel_imports_beside_a_host_that_has_a_domain_of_its_own(
    wheel: Path, tmp_path: Path
) -> None:
    python = environment(Path(sys.executable), tmp_path / "venv")
    install(python, wheel)
    add_host(python)
    with shared_packages(python):
        run(python, "-c", EVERY_MODULE.format(package="fairdeal"))
        said = run(python, "-c", "import domain, fairdeal.domain as ours; print(domain.OWNER, ours.__file__)")
    assert said.startswith("the host ")
    assert str(tmp_path) in said


@pytest.mark.parametrize("version", PYTHONS)
def test_an_editable_install_follows_the_tree_and_leaks_no_domain(version: str, tree: Path, tmp_path: Path) -> None:
    python = environment(interpreter(version), tmp_path / "venv")
    copy = shutil.copytree(tree, tmp_path / "tree", symlinks=True)
    with shared_packages(python):
        install(python, *(["--no-build-isolation"] if BACKEND_IS_HERE else []), "--editable", copy)
    add_host(python)
    (copy / "domain" / "kernel" / "added_later.py").write_text("NEWS = 'seen at once'\n", encoding="utf-8")
    said = run(python, "-c", "import domain, fairdeal.domain.kernel.added_later as new; print(domain.OWNER, new.NEWS)")
    assert said == "the host seen at once\n"
    run(python, "-c", EVERY_MODULE.format(package="fairdeal.domain"))


def needed_packages() -> set[str]:
    """Everything that the project and its extras need here, however indirectly."""
    project = SETTINGS["project"]
    waiting = [
        *project["dependencies"],
        *(line for lines in project["optional-dependencies"].values() for line in lines),
    ]
    found: dict[tuple[str, frozenset[str]], None] = {}
    while waiting:
        requirement = Requirement(waiting.pop())
        key = canonicalize_name(requirement.name), frozenset(requirement.extras)
        if key in found or key[0] == canonicalize_name(project["name"]):
            continue
        found[key] = None
        waiting += [str(line) for line in requirements_of(requirement)]
    return {name for name, _ in found}


def requirements_of(requirement: Requirement) -> Iterator[Requirement]:
    try:
        lines = metadata.requires(requirement.name) or []
    except metadata.PackageNotFoundError:
        return
    for line in map(Requirement, lines):
        if any(line.marker is None or line.marker.evaluate({"extra": extra}) for extra in ("", *requirement.extras)):
            yield line


def test_the_constraints_are_plain_pins_of_everything_that_is_needed() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if not line.startswith("#")]
    assert [line for line in pins if not re.fullmatch(r"[a-z0-9-]+==[0-9][0-9a-z.]*", line)] == []
    assert needed_packages() - {line.partition("==")[0] for line in pins} == set()
