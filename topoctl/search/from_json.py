"""Values of annotated types from JSON: what a search is asked for, as it was stored."""

from __future__ import annotations

from dataclasses import MISSING, fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from topoctl.json_shapes import anything, one_of, record, refuse, row
from topoctl.search.protocol import Json


def built(kind: Any, value: Json, place: str) -> Any:
    """A value of an annotated type from its JSON: a dataclass from an object, a tuple from a list.

    Args:
        kind: the type; of dataclasses, every field's annotation counts, and defaults may be left out.
        value: JSON.
        place: where it stands, for messages.

    Raises:
        Damaged: the value is not of this type.
        InvalidParameters, Infeasible: what the dataclass itself refuses.

    Example:
        >>> built(tuple[int, ...], [3, 5], "hops")
        (3, 5)
        >>> built(int | str, "2%", "tolerance")
        '2%'
        >>> built(int | tuple[int, ...] | None, [7, 3, 2], "symmetry")
        (7, 3, 2)
        >>> built(int | None, True, "seed")
        Traceback (most recent call last):
        topoctl.errors.Damaged: seed is True; expected int
    """
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        if value is None and NoneType in inner:
            return None
        kinds = [option for option in inner if option is not NoneType]
        own = [option for option in kinds if _is_of(value, option)]
        if len(kinds) > 1 and not own:
            refuse(place, value, " or ".join(option.__name__ for option in kinds))
        return built((own or kinds)[0], value, place)
    if origin is Literal:
        one_of(*inner)(value, place)
        return value
    if origin is tuple:
        value = list(value) if isinstance(value, tuple) else value  # as it is before it is stored
        if not isinstance(value, list):
            refuse(place, value, "a list")
        shapes = inner[:1] * len(value) if inner[-1] is ... else inner
        row(*[anything] * len(shapes))(value, place)
        return tuple(
            built(one, item, f"{place}[{number}]")
            for number, (one, item) in enumerate(zip(shapes, value, strict=True))
        )
    make: Any = kind
    if is_dataclass(kind):
        known = get_type_hints(kind)
        hints = {field.name: known[field.name] for field in fields(kind)}
        defaults = [field.name for field in fields(kind) if field.default is not MISSING]
        record(dict.fromkeys(hints, anything), lacking=defaults)(value, place)
        return make(**{name: built(hints[name], item, f"{place}.{name}") for name, item in value.items()})
    if type(value) is not kind and not (kind is float and type(value) is int):
        refuse(place, value, kind.__name__)
    return value


def _is_of(value: Json, option: Any) -> bool:
    """Whether a value is of one of several types; a tuple of any is stored as a list."""
    if option is float and type(value) is int:
        return True
    return type(value) is option or (get_origin(option) is tuple and isinstance(value, (list, tuple)))
