"""Whether a value keeps to one of our JSON Schemas: as much of the language as they use, and no package needed."""

import re
from typing import Any

TYPES: dict[str, Any] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "boolean": bool,
    "null": type(None),
    "number": float,
}
FOR_PEOPLE = {"title", "description", "default", "format", "discriminator", "$schema", "$defs"}


def fits(schema: dict[str, Any], value: Any, root: dict[str, Any]) -> bool:
    """Whether the value keeps to the schema; an unknown word is an error. `root` holds the `$defs`."""
    return all(_keeps(word, wanted, schema, value, root) for word, wanted in schema.items())


def _keeps(word: str, wanted: Any, schema: dict[str, Any], value: Any, root: dict[str, Any]) -> bool:
    match word:
        case _ if word in FOR_PEOPLE:
            return True
        case "$ref":
            return fits(root["$defs"][wanted.removeprefix("#/$defs/")], value, root)
        case "type":
            return isinstance(value, TYPES[wanted]) and not (wanted == "integer" and isinstance(value, bool))
        case "enum":
            return value in wanted
        case "const":
            return bool(value == wanted)
        case "anyOf":
            return any(fits(one, value, root) for one in wanted)
        case "oneOf":
            return sum(fits(one, value, root) for one in wanted) == 1
        case "allOf":
            return all(fits(one, value, root) for one in wanted)
        case "properties":
            return all(fits(wanted[key], inner, root) for key, inner in value.items() if key in wanted)
        case "additionalProperties":
            others = [inner for key, inner in value.items() if key not in schema.get("properties", {})]
            return not others if wanted is False else all(fits(wanted, inner, root) for inner in others)
        case "required":
            return set(wanted) <= set(value)
        case "dependentRequired":
            return all(set(others) <= set(value) for key, others in wanted.items() if key in value)
        case "items":
            return wanted is False or all(fits(wanted, inner, root) for inner in value)
        case "prefixItems":
            return all(fits(one, inner, root) for one, inner in zip(wanted, value, strict=True))
        case "minItems" | "minLength":
            return bool(len(value) >= wanted)
        case "maxItems" | "maxLength":
            return bool(len(value) <= wanted)
        case "minimum":
            return bool(value >= wanted)
        case "pattern":
            return re.search(wanted, value) is not None
        case _:
            raise AssertionError(f"{word!r} is new: teach it to this check")
