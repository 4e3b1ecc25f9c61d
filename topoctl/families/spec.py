"""Specs ``name(key=value, ...)``: one reader, one writer, and the family records that are built on them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters, hint, quoted
from topoctl.families.drawing import Drawing
from topoctl.families.record import Claims, Family, Parameter, Parameters
from topoctl.floor.placement import Placement
from topoctl.graph import MAX_ROUTERS, Graph
from topoctl.memory import memory_of_machine
from topoctl.topology import Symmetry, Topology, Value, uniform_endpoints

# Per link, while the rows of a graph are sorted: the link twice, two 64-bit words, two 32-bit neighbours; and
# as much again for the arrays that a construction works with.
BYTES_PER_LINK = 2 * (2 * 8 + 16 + 8)
BYTES_PER_ROUTER = 64

CONCENTRATION = "p"

# numpy before 2.0 holds no array of more dimensions.
MAX_SIZES = 32


@dataclass(frozen=True, kw_only=True)
class ParametricFamily(Family):
    """A family whose specs are ``name(key=value, ...)``.

    Its record is made of functions that take the parameters of an instance by name, all but the concentration
    ``p``. `claims`, `least`, `placement` and `drawing` are given as such functions, too; the record then has
    them as :class:`Family` declares.

    Attributes:
        graph: the router graph; raises InvalidParameters.
        claims: closed forms; raises the same errors as `graph`, before any work.
        symmetry: declared automorphisms.
        endpoints: endpoints of every router, int32, shape (order,), from `p` and the other parameters; p on
            each by default.
        least: lower bounds that never shrink along the lattice; by default the claims.
        placement: the cabinets of the routers.
        drawing: how the routers are drawn.
        normal: brings all parameters, checked one by one, into the one form that a spec has; raises
            InvalidParameters where they contradict each other.
    """

    parse: Callable[[str], Parameters | None] = field(init=False)
    build: Callable[[Parameters], Topology] = field(init=False)
    complete: Callable[[Parameters], Parameters] = field(init=False)
    graph: Callable[..., Graph]
    claims: Callable[..., Claims]
    symmetry: Callable[..., Symmetry | None] | None = None
    endpoints: Callable[..., NDArray[np.int32]] | None = None
    carries: Callable[..., float] | None = None
    least: Callable[..., Claims] | None = None
    placement: Callable[..., Placement] | None = None
    drawing: Callable[..., Drawing] | None = None
    normal: Callable[[Parameters], Parameters] = dict

    def __post_init__(self) -> None:
        carries = _by_name(self.carries)
        claims, placement, drawing = _by_name(self.claims), _by_name(self.placement), _by_name(self.drawing)
        least = _by_name(self.least) or claims
        assert claims is not None
        assert least is not None

        def structure(values: Parameters) -> dict[str, Value]:
            return {key: value for key, value in values.items() if key != CONCENTRATION}

        def complete(given: Parameters) -> Parameters:
            if isinstance(given, _Complete):
                return given
            return _Complete(self.normal(complete_parameters(self.name, self.parameters, given)))

        def parse(text: str) -> Parameters | None:
            given = read_spec(self.name, self.parameters, text, self.examples[0])
            return None if given is None else complete(given)

        def build(given: Parameters) -> Topology:
            values = complete(given)
            inner = structure(values)
            _refuse_oversize(self.name, claims(**inner))
            routers = self.graph(**inner)
            p = values[CONCENTRATION]
            attached = (
                self.endpoints(p=p, **inner) if self.endpoints else uniform_endpoints(routers.order, p)  # type: ignore[arg-type]
            )
            spec = _write_spec(self.name, self.parameters, values)
            symmetry = self.symmetry(**inner) if self.symmetry else None
            return Topology(self.name, values, routers, attached, spec, symmetry)

        def inner_of(given: Parameters) -> dict[str, Value]:
            return structure(complete(given))

        record = {
            "parse": parse,
            "build": build,
            "complete": complete,
            "claims": OfParameters(claims, inner_of),
            "carries": carries and OfParameters(carries, inner_of),
            "least": OfParameters(least, inner_of),
            "placement": placement
            and OfParameters(placement, lambda topology: structure(topology.parameters)),
            "drawing": drawing and OfParameters(drawing, inner_of),
        }
        for name, function in record.items():
            object.__setattr__(self, name, function)


class _Complete(dict[str, Value]):
    """Parameters that are complete and checked, and are not changed any more."""


@dataclass(frozen=True)
class OfParameters:
    """A function of parameters by name, called with one object that holds all parameters."""

    function: Callable[..., Any]
    parameters_in: Callable[[Any], dict[str, Value]]

    def __call__(self, given: Any) -> Any:
        """Call the function with the parameters of `given`."""
        return self.function(**self.parameters_in(given))


def _by_name(function: Callable[..., Any] | None) -> Callable[..., Any] | None:
    """Return the function of parameters by name, also where a copy of a record has wrapped it already."""
    return function.function if isinstance(function, OfParameters) else function


def concentration(rule: str, omitted: Value | Callable[[Mapping[str, Any]], Value]) -> Parameter:
    """The parameter ``p``, endpoints per router, with the family's rule for a balanced network."""
    return Parameter(CONCENTRATION, "endpoints per router", rule, omitted=omitted)


def read_spec(
    name: str, parameters: tuple[Parameter, ...], text: str, example: str | None = None
) -> Parameters | None:
    """Read ``name(value, ..., key=value, ...)``: any case, spaces anywhere between its parts.

    Values without a key are those of the first parameters, in their order.

    Args:
        name: of the family.
        parameters: that it has.
        text: the spec.
        example: a spec that an error shows.

    Returns:
        The values that are written, or None where the text does not begin with the family's name.

    Raises:
        InvalidParameters: the text begins so, but is malformed, or a key is unknown or given twice.

    Example:
        >>> parameters = (Parameter("dims", "routers", kind="sizes"), Parameter("p", "endpoints"))
        >>> read_spec("torus", parameters, " Torus( 4x4x3, P = 2 ) ")
        {'dims': (4, 4, 3), 'p': 2}
    """
    text = re.sub(r"^([\w-]+)\+", r"\1plus", text.strip().lower())
    called = r"[-_\s]*".join(map(re.escape, name))
    if re.match(rf"{called}(?![a-z0-9_-])", text) is None:
        return None
    shape = f"{name}({', '.join(f'{parameter.name}=...' for parameter in parameters)})"
    if example:
        shape += f", such as {example}"
    body = re.fullmatch(rf"{called}\s*\((.*)\)", text, re.DOTALL)
    if body is None:
        raise InvalidParameters(f"{quoted(text)}: expected {shape}")
    declared = {parameter.name: parameter for parameter in parameters}
    values: dict[str, Value] = {}
    for key, word in _keyed_items(name, parameters, body[1], shape):
        if key not in declared:
            raise InvalidParameters(
                f"{name}: unknown parameter {quoted(key)}{hint(key, declared, listed=True)}"
            )
        if key in values:
            raise InvalidParameters(f"{name}: {key} is given twice; expected once")
        values[key] = _read_value(name, declared[key], word)
    return values


def _keyed_items(
    name: str, parameters: tuple[Parameter, ...], body: str, shape: str
) -> Iterator[tuple[str, str]]:
    """The key and the value of every item of a spec's body; an item without a key has that of its place.

    Raises:
        InvalidParameters: an item is empty, or has no key where one before it has, or where no parameter is
            left, or may be a size or something else.
    """
    items = [item.strip() for item in body.split(",")] if body.strip() else []
    unmarked = [item for item in items[:2] if "=" not in item and "x" not in item]
    if parameters[0].kind == "sizes" and len(unmarked) == 2:
        joined = quoted(f"{name}({'x'.join(items)})")
        raise InvalidParameters(
            f"{name}: found {quoted(body)}: expected sizes joined by x, {joined}, or {shape}"
        )
    named = False
    for place, item in enumerate(items):
        key, equals, word = (part.strip() for part in item.partition("="))
        named = named or bool(equals)
        if not named and key and place < len(parameters):
            key, word = parameters[place].name, key
        if not key or not word:
            raise InvalidParameters(f"{name}: found {quoted(item)}, expected {shape}")
        yield key, word


def same_name(name: str) -> str:
    """A family's name without the marks that people put between its words, in lower case.

    Example:
        >>> same_name("Fat_Tree"), same_name("slim-fly"), same_name("Dragonfly+")
        ('fattree', 'slimfly', 'dragonflyplus')
    """
    return re.sub(r"[-_\s]", "", name).lower().replace("+", "plus")


def _read_value(name: str, parameter: Parameter, word: str) -> Value:
    """One value from its text; its range is checked later, with the values that come as Python objects."""
    if parameter.kind == "word":
        return word
    if parameter.kind == "sizes" and re.fullmatch(r"[0-9]{1,20}(\s*x\s*[0-9]{1,20})*", word):
        return tuple(int(size) for size in word.split("x"))
    if parameter.kind == "pairs" and re.fullmatch(
        r"[0-9]{1,20}\s*:\s*[0-9]{1,20}(\s*\+\s*[0-9]{1,20}\s*:\s*[0-9]{1,20})*", word
    ):
        pairs = (pair.split(":") for pair in word.split("+"))
        return tuple((int(first), int(second)) for first, second in pairs)
    if parameter.kind == "integer" and re.fullmatch(r"[+-]?[0-9]{1,20}", word):
        return int(word)
    expected = {"integer": "an integer", "sizes": "sizes such as 4x4x3", "pairs": "pairs such as 1:0+3:2"}
    raise InvalidParameters(f"{name}: {parameter.name}={quoted(word)}: expected {expected[parameter.kind]}")


def complete_parameters(name: str, parameters: tuple[Parameter, ...], given: Parameters) -> dict[str, Value]:
    """Every parameter, in spec order, checked, the omitted ones set by their rules.

    Raises:
        InvalidParameters: a value out of its range, one missing, or an unknown name.
    """
    declared = [parameter.name for parameter in parameters]
    for key in given:
        if key not in declared:
            raise InvalidParameters(f"{name}: unknown parameter {key}{hint(key, declared, listed=True)}")
    known: dict[str, Value] = {}
    rules = []
    for parameter in parameters:
        if parameter.name in given:
            known[parameter.name] = given[parameter.name]
            _check_value(name, parameter, given[parameter.name])
        elif parameter.omitted is None:
            raise InvalidParameters(f"{name}: {parameter.name} is missing: expected {parameter.meaning}")
        elif callable(parameter.omitted):
            rules.append((parameter.name, parameter.omitted))
        else:
            known[parameter.name] = parameter.omitted
    for own, omitted in rules:
        known[own] = omitted(known)
    return {key: known[key] for key in declared} if rules else known


def _check_value(name: str, parameter: Parameter, value: Value) -> None:
    """Raise InvalidParameters unless the value is of the parameter's kind and in its range."""
    if parameter.kind == "integer" and type(value) is int and parameter.least <= value <= parameter.most:
        return
    if parameter.kind == "word":
        if value not in parameter.choices:
            raise InvalidParameters(
                f"{name}: {parameter.name}={quoted(str(value))}: expected {' or '.join(parameter.choices)}"
            )
        return
    if parameter.kind == "pairs":
        if not isinstance(value, tuple) or not all(map(_is_pair, value)):
            raise InvalidParameters(f"{name}: {parameter.name}={value!r}: expected pairs of integers")
        return
    numbers = value if parameter.kind == "sizes" else (value,)
    if not isinstance(numbers, tuple) or not numbers or not all(type(number) is int for number in numbers):
        raise InvalidParameters(f"{name}: {parameter.name}={value!r}: expected {parameter.kind}")
    if len(numbers) > MAX_SIZES:
        raise InvalidParameters(
            f"{name}: {parameter.name}: {len(numbers)} sizes: expected at most {MAX_SIZES}"
        )
    if not all(parameter.least <= number <= parameter.most for number in numbers):  # type: ignore[operator]
        raise InvalidParameters(
            f"{name}: {parameter.name}={write_value(value)}: "
            f"expected {parameter.least}..{parameter.most}, {parameter.meaning}"
        )


def _is_pair(value: object) -> bool:
    """Whether a value is a pair of integers."""
    return isinstance(value, tuple) and len(value) == 2 and all(type(number) is int for number in value)


def write_value(value: Value) -> str:
    """A value as a spec holds it.

    Example:
        >>> write_value((4, 4, 3)), write_value(((1, 0), (3, 2)))
        ('4x4x3', '1:0+3:2')
    """
    if not isinstance(value, tuple):
        return str(value)
    if value and isinstance(value[0], tuple):
        return "+".join(f"{first}:{second}" for first, second in value)
    return "x".join(map(str, value))


def _write_spec(name: str, parameters: tuple[Parameter, ...], values: Parameters) -> str:
    """Write the canonical spec: parameters in order, except parameters at their constant omitted value.

    Example:
        >>> p = Parameter("p", "endpoints per router", omitted=1)
        >>> _write_spec("torus", (Parameter("dims", "routers", kind="sizes"), p), {"dims": (4, 4), "p": 1})
        'torus(dims=4x4)'
    """
    written = [
        f"{parameter.name}={write_value(values[parameter.name])}"
        for parameter in parameters
        if callable(parameter.omitted)
        or parameter.omitted is None
        or values[parameter.name] != parameter.omitted
    ]
    return f"{name}({','.join(written)})"


def _refuse_oversize(name: str, claims: Claims) -> None:
    """Raise InvalidParameters where a graph cannot fit into this machine's memory or into 32-bit indices."""
    if not can_be_built(claims):
        size = _size_of(claims)
        raise InvalidParameters(
            f"{name}: {claims.order} routers with {size} links need {_bytes_needed(claims) / 2**30:.3g} GiB: "
            f"expected at most {memory_of_machine() / 2**30:.3g} GiB and {MAX_ROUTERS // 2} links"
        )


def can_be_built(claims: Claims) -> bool:
    """Whether a graph fits into this machine's memory and into 32-bit indices."""
    return (
        max(claims.order, 2 * _size_of(claims)) <= MAX_ROUTERS
        and _bytes_needed(claims) <= memory_of_machine()
    )


def _bytes_needed(claims: Claims) -> int:
    """Memory that building a graph takes."""
    return claims.order * BYTES_PER_ROUTER + _size_of(claims) * BYTES_PER_LINK


def _size_of(claims: Claims) -> int:
    """Links, at most where there is no closed form."""
    return claims.order * claims.network_radix // 2 if claims.size is None else claims.size
