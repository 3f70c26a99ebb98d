"""The JSON Schemas in docs/schema are current, and every golden log keeps to them."""

import json
from pathlib import Path
from typing import Any

import pytest

from fairdeal.application.catalogue import KINDS
from fairdeal.application.exports.format import read_export
from fairdeal.application.log.codec import stored_classes
from fairdeal.testing.schema_check import fits
from golden.make import FOLDER
from kits.audit import said
from tools.json_schemas import files, main

SCHEMAS = Path(__file__).parents[2] / "docs" / "schema"
LOGS = sorted(FOLDER.glob("*.jsonl"))


def schema_of(kind: str) -> dict[str, Any]:
    schema: dict[str, Any] = json.loads((SCHEMAS / f"{kind}.json").read_text(encoding="utf-8"))
    return schema


def shape_of(kind: str, name: str) -> dict[str, Any]:
    shape: dict[str, Any]
    (shape,) = [one for one in schema_of(kind)["oneOf"] if one["properties"]["name"]["const"] == name]
    return shape


def test_the_files_are_current(tmp_path: Path) -> None:
    main(str(tmp_path / "schema"))
    written = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "schema").iterdir()}
    published = {path.name: path.read_text(encoding="utf-8") for path in SCHEMAS.iterdir()}
    assert published == written == dict(files(KINDS.values())), "docs/schema is out of date: run `make docs`"


@pytest.mark.parametrize("kind", KINDS)
def test_every_stored_name_has_its_schema(kind: str) -> None:
    names = [one["properties"]["name"]["const"] for one in schema_of(kind)["oneOf"]]
    assert names == list(stored_classes(KINDS[kind]))


@pytest.mark.parametrize("log", LOGS, ids=[log.stem for log in LOGS])
def test_every_golden_record_keeps_to_its_schema(log: Path) -> None:
    kind = log.stem.partition("-")[0]
    root = schema_of(kind)
    shapes = {one["properties"]["name"]["const"]: one for one in root["oneOf"]}
    for record in read_export(log.read_text(encoding="utf-8"))[:300]:
        assert fits(shapes[record.name], {"name": record.name, "payload": said(record)}, root), record


@pytest.mark.parametrize(
    "payload",
    [
        {},
        {"event": {"seat": 0, "card": "XX", "pile": "N"}},
        {"event": {"seat": "0", "card": "JD", "pile": "N"}},
        {"event": {"seat": 0, "card": "JD"}},
        {"event": {"seat": 0, "card": "JD", "pile": "N"}, "size": 1},
        {"event": {"seat": 0, "card": "JD", "pile": "N"}, "note": 1},
    ],
)
def test_what_is_not_such_a_record_does_not_fit(payload: dict[str, Any]) -> None:
    name = "kings_corners.card_played.v1"
    shape = shape_of("kings_corners", name)
    good = {"event": {"seat": 0, "card": "JD", "pile": "N"}}
    assert fits(shape, {"name": name, "payload": good}, schema_of("kings_corners"))
    assert not fits(shape, {"name": name, "payload": payload}, schema_of("kings_corners"))
