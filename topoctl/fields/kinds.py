"""What values of fields are, in the words of JSON Schema."""

from __future__ import annotations

from typing import Any

Kind = dict[str, Any]
"""A JSON Schema, or a part of one."""

TEXT: Kind = {"type": "string"}
FLAG: Kind = {"type": "boolean"}
WHOLE: Kind = {"type": "integer", "minimum": 0}
NUMBER: Kind = {"type": "number"}
TIME: Kind = {"type": "string", "format": "date-time", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$"}
OBJECT: Kind = {"type": "object"}


def says(kind: Kind, meaning: str) -> Kind:
    """A kind of values, and what they mean."""
    return kind | {"description": meaning}


def of_unit(kind: Kind, unit: str) -> Kind:
    """Values of a unit; ``unit`` is an annotation, which validators pass over."""
    return kind | {"unit": unit}


def or_null(kind: Kind) -> Kind:
    """Values of a kind, or null: not known, not asked for, or there is none.

    Example:
        >>> or_null(TEXT)
        {'type': ['string', 'null']}
    """
    types = kind["type"] if isinstance(kind["type"], list) else [kind["type"]]
    return kind | {"type": [*types, "null"]}


def many(kind: Kind) -> Kind:
    """A list of values of a kind."""
    return {"type": "array", "items": kind}


def one_of(*values: str) -> Kind:
    """One of some texts."""
    return {"type": "string", "enum": [*values]}


def either(*kinds: str) -> Kind:
    """Values of several of the types of JSON."""
    return {"type": [*kinds]}


def record(required: dict[str, Kind], optional: dict[str, Kind] | None = None) -> Kind:
    """An object with these fields; a later version may add others."""
    return {"type": "object", "properties": required | (optional or {}), "required": [*required]}


def each(kind: Kind, names: str) -> dict[str, Kind]:
    """Fields of one kind, their names separated by spaces."""
    return dict.fromkeys(names.split(), kind)


HOPS, MEAN_HOPS = of_unit(WHOLE, "hops"), of_unit(NUMBER, "hops")
STEPS, MEAN_STEPS = of_unit(WHOLE, "steps of the layout"), of_unit(NUMBER, "steps of the layout")
PERCENT = of_unit(NUMBER, "%")
NANOSECONDS = of_unit(NUMBER, "ns")
WATTS = of_unit(NUMBER, "W")
SECONDS = of_unit(NUMBER, "s")
METRES = of_unit(NUMBER, "m")
DOLLARS = of_unit(NUMBER, "$")
