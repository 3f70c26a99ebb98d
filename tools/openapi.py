"""Writes docs/openapi.json from the register of operations and the kinds of games."""

import json
from pathlib import Path

from fairdeal.application.catalogue import KINDS
from fairdeal.infrastructure.http.app import API, PLAIN
from fairdeal.infrastructure.http.openapi import openapi_document
from fairdeal.infrastructure.http.operations import PREFIX

TARGET = Path(__file__).resolve().parent.parent / "docs" / "openapi.json"


def document() -> str:
    operations = [*((PREFIX, one) for one in API), *(("", one) for one in PLAIN)]
    return json.dumps(openapi_document(operations, KINDS), indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    TARGET.write_text(document(), encoding="utf-8")
    print(TARGET.name)


if __name__ == "__main__":
    main()
