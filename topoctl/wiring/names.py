"""The user's names of routers, endpoints and their ports: patterns such as ``sw-{rack}-{unit:02}``, or lists.

A pattern is a text with fields in braces: ``{n}``, ``{n+1}``, ``{4(n-1)}``, ``{unit:02}``. A field is a value
of :data:`FIELDS`, or whole numbers and such values with + - * // % and brackets; behind a colon stands its
width, filled with zeros where that begins with 0, and x for a hexadecimal number.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, ValidationError

from topoctl.definitions import faults, file_text, validated
from topoctl.errors import InvalidParameters, hint, quoted
from topoctl.families import drawing_of
from topoctl.floor.plan import FloorPlan
from topoctl.topology import Names, Topology, routers_of_endpoints

STANDING = {
    "rack": "rack, as R1C1",
    "row": "row of its rack, from 1",
    "column": "place of its rack in the row, from 1",
    "unit": "unit in its rack, from the top, from 1",
}
FIELDS: Mapping[str, Mapping[str, str]] = {
    "router": {
        "n": "number, from 0",
        "group": "number of its group of the family, from 0",
        "index": "place in its group, from 0",
        "role": "leaf where it has endpoints, else spine",
        "x1": "first coordinate in a grid or a product, from 0; x2, x3, … the others",
        "plane": "number of its plane, from 0; without it p{plane}- comes before the names in several",
        **STANDING,
    },
    "endpoint": {
        "n": "number, from 0",
        "router": "number of its router, from 0",
        "router_name": "name of its router",
        "index": "place at its router, from 0",
        "group": "number of its router's group, from 0",
        **STANDING,
    },
    "port": {"n": "number, from 1"},
    "endpoint_port": {"n": "number, from 1"},
}
"""What the patterns of every kind of thing may hold."""
MOST_LETTERS = 255
"""Of a name, and of its pattern."""
MOST_FORMULA = 60
"""Letters of a field, so that it is no program."""
MOST_PORTS = 2**16
NAME = re.compile(rf"(?![=+@-])\S(?:.{{0,{MOST_LETTERS - 2}}}\S)?")
BRACES = re.compile(r"\{([^{}]*)\}|[{}]")
FORMULA = re.compile(r"[A-Za-z0-9_+\-*/%() ]+")
FORMAT = re.compile(r"0?[0-9]{0,2}[dx]?")
PRODUCT = re.compile(r"(?<!\w)([0-9]+)\s*(?=[A-Za-z_(])")
SEPARATOR = re.compile(r",(?![^{]*\})")
LAST_NUMBER = re.compile(r"[0-9]{1,9}(?=[^0-9]*$)")
"""Of a port, in its name."""
KEY = re.compile(r"\s*([a-z_]+)\s*=")
Integers = NDArray[np.integer]
Column = list[Any] | range
Values = Callable[[str], Column]
"""The values of a field of all things, by its name; raises InvalidParameters where they have none."""


class Naming(BaseModel):
    """What ``--names`` says: patterns, or lists of names by number; the rest is left to whoever writes.

    Attributes:
        router, endpoint: names of routers and endpoints.
        port, endpoint_port: names of the ports of every router and of every endpoint, from port 1 on.
        router_type, endpoint_type: models of the devices.
        manufacturer: of both.
        interface: type of the ports, as the target calls it, such as ``400gbase-x-osfp``.
        link: width and speed of InfiniBand links, such as ``4x-50G``.
        rate: bandwidth of links, such as ``400Gbps``.
        site: where they stand.
        image: of the containers that stand for them in a laboratory.
        os: what runs on routers, such as ``cumulus``.

    Example:
        >>> Naming.of("leaf{group}-{index},port=swp{n}").port
        'swp{n}'
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    router: str | list[str] | None = None
    endpoint: str | list[str] | None = None
    port: str | list[str] | None = None
    endpoint_port: str | list[str] | None = None
    router_type: str | None = None
    endpoint_type: str | None = None
    manufacturer: str | None = None
    interface: str | None = None
    link: str | None = None
    rate: str | None = None
    site: str | None = None
    image: str | None = None
    os: str | None = None

    @classmethod
    def of(cls, text: str) -> Naming:
        """Read the value of ``--names``: a TOML file, or ``KEY=PATTERN,…``; the first key may be left out.

        Raises:
            InvalidParameters: an unknown text, or an invalid pattern.
            FormatError: the file cannot be read, or holds something else.
        """
        if text.endswith(".toml"):
            found = validated(text, file_text(text, "names"), cls)
        else:
            found = cls.from_json(_pairs(text))
        for kind in FIELDS:
            given = getattr(found, kind)
            if isinstance(given, str):
                Pattern.of(kind, given)
        return found

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Naming:
        """Make one of what :meth:`as_json` gave.

        Raises:
            InvalidParameters: it holds something else.
        """
        try:
            return cls.model_validate(dict(stored))
        except ValidationError as error:
            raise InvalidParameters(f"--names: {faults(error)}") from error

    def as_json(self) -> dict[str, Any]:
        """What is given."""
        return self.model_dump(exclude_none=True)


def _pairs(text: str) -> dict[str, str]:
    """The patterns of a command line by their keys."""
    found: dict[str, str] = {}
    for place, part in enumerate(SEPARATOR.split(text)):
        key = KEY.match(part)
        name, pattern = (key[1], part[key.end() :]) if key else ("router", part)
        if key is None and place:
            raise InvalidParameters(f"--names {quoted(part)}: expected KEY=PATTERN, such as port=swp{{n}}")
        if name not in Naming.model_fields:
            raise InvalidParameters(
                f"--names {quoted(part)}: {name} is unknown{hint(name, Naming.model_fields, listed=True)}"
            )
        if name in found:
            raise InvalidParameters(f"--names {quoted(part)}: {name} is given twice, expected once")
        found[name] = pattern.strip()
    return found


@dataclass(frozen=True)
class Formula:
    """What stands in the braces of a pattern.

    Attributes:
        tree: of its values and whole numbers.
        form: Python's format of the result.
    """

    tree: ast.expr
    form: str

    @cached_property
    def fields(self) -> list[str]:
        """The names of its values."""
        return [node.id for node in ast.walk(self.tree) if isinstance(node, ast.Name)]

    def value(self, known: Mapping[str, Any]) -> str:
        """Its text, by the values of its fields."""
        found = known[self.tree.id] if isinstance(self.tree, ast.Name) else _computed(self.tree, known)
        return format(found, self.form if isinstance(found, int) else "")


@dataclass(frozen=True)
class Pattern:
    """A text with formulas in it.

    Attributes:
        text: as it was typed.
        parts: texts and formulas in turn.

    Example:
        >>> list(Pattern.of("port", "Ethernet{4(n-1)}").names({"n": [1, 2, 3]}.__getitem__, 3))
        ['Ethernet0', 'Ethernet4', 'Ethernet8']
    """

    text: str
    parts: tuple[str | Formula, ...] = field(compare=False)

    @classmethod
    def of(cls, kind: str, text: str) -> Pattern:
        """Read a pattern for a kind of things.

        Raises:
            InvalidParameters: braces without a formula in them, or a formula of something else.
        """
        if len(text) > MOST_LETTERS:
            raise _fault(kind, text, f"{len(text)} letters, expected {MOST_LETTERS} at most")
        parts: list[str | Formula] = []
        end = 0
        for found in BRACES.finditer(text):
            if found[1] is None:
                raise _fault(kind, text, "a brace alone, expected pairs, such as {n}")
            parts += [text[end : found.start()], _formula(kind, text, found[1])]
            end = found.end()
        return cls(text, (*parts, text[end:]))

    def names(self, values: Values, count: int) -> Iterator[str]:
        """Yield the names of things, by number, by the values of their fields."""
        formulas = [part for part in self.parts if isinstance(part, Formula)]
        columns = {name: values(name) for formula in formulas for name in formula.fields}
        for place in range(count):
            known = {name: column[place] for name, column in columns.items()}
            yield "".join(part if isinstance(part, str) else part.value(known) for part in self.parts)


def _formula(kind: str, text: str, inner: str) -> Formula:
    """Read what stands in braces."""
    source, _, form = (part.strip() for part in inner.partition(":"))
    if len(inner) > MOST_FORMULA or not FORMAT.fullmatch(form) or not FORMULA.fullmatch(source):
        raise _fault(kind, text, f"{{{inner[:MOST_FORMULA]}}}, expected such as {{n}}, {{n+1}} or {{n:03}}")
    try:
        tree = ast.parse(PRODUCT.sub(r"\1*", source), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        tree = ast.Constant(None)
    names = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name)]
    for name in names:
        if name not in FIELDS[kind] and not (kind == "router" and re.fullmatch(r"x[1-9][0-9]?", name)):
            raise _fault(kind, text, f"{name} is unknown{hint(name, FIELDS[kind], listed=True)}")
    numbers = dict.fromkeys(names, 1)
    try:
        _computed(tree, numbers)
    except ZeroDivisionError:
        pass
    except TypeError:
        raise _fault(
            kind, text, f"{{{inner}}}, expected numbers and + - * // %, such as {{4(n-1)}}"
        ) from None
    words = {"rack", "role", "router_name"} & {*names}
    if words and (form or not isinstance(tree, ast.Name)):
        raise _fault(kind, text, f"{{{inner}}}: {words.pop()} is a text, expected alone in its braces")
    return Formula(tree, form)


def _fault(kind: str, text: str, reason: str) -> InvalidParameters:
    return InvalidParameters(f"--names {kind}={quoted(text)}: {reason}")


OPERATIONS: Mapping[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: lambda one, other: one + other,
    ast.Sub: lambda one, other: one - other,
    ast.Mult: lambda one, other: one * other,
    ast.FloorDiv: lambda one, other: one // other,
    ast.Mod: lambda one, other: one % other,
}


def _computed(tree: ast.expr, known: Mapping[str, Any]) -> int:
    """The value of a formula; raises TypeError where it is none."""
    match tree:
        case ast.Constant(value=int(number)) if type(number) is int:
            return number
        case ast.Name(id=name):
            return int(known[name])
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in OPERATIONS:
            return OPERATIONS[type(operator)](_computed(left, known), _computed(right, known))
        case _:
            raise TypeError


def names_of(topology: Topology, naming: Naming, plan: Callable[[], FloorPlan], planes: int = 1) -> Names:
    """Name the routers, endpoints and ports of a network as the user has it.

    Args:
        topology: the network, with its endpoints.
        naming: the user's patterns and lists.
        plan: makes the floor plan, where a pattern tells racks or units.
        planes: copies of the network on that plan, whose routers are named plane by plane; an endpoint has
            a port in each.

    Raises:
        InvalidParameters: a list of another length, two things of one name, an unfit name, or a field that
            the network has not.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> dragonfly = topology_from_spec("dragonfly(p=1,a=4,h=2)")
        >>> names_of(dragonfly, Naming.of("leaf{group+1}-{index:02}"), plan=lambda: None).routers[5]
        'leaf2-01'
    """
    endpoints = topology.endpoints
    values = _RouterValues(topology, plan, planes)
    routers = _named("router", _in_planes(naming.router, planes), values, planes * topology.graph.order)
    found = Names(
        routers,
        _named("endpoint", naming.endpoint, _EndpointValues(topology, plan, routers), endpoints),
        _named("port", naming.port, lambda _: range(1, MOST_PORTS), topology.router_radix),
        _named("endpoint_port", naming.endpoint_port, lambda _: range(1, MOST_PORTS), planes),
        naming.model_dump(exclude_none=True, exclude={*FIELDS}),
    )
    return require_names(found)


def _in_planes(given: str | list[str] | None, planes: int) -> str | list[str] | None:
    """What routers of several planes are called by the names of one, unless these tell the plane."""
    if given is None or planes == 1:
        return given
    if isinstance(given, list):
        return [*_prefixed(given, planes)]
    parts = Pattern.of("router", given).parts
    told = any("plane" in part.fields for part in parts if isinstance(part, Formula))
    return given if told else f"p{{plane}}-{given}"


def _prefixed(names: Sequence[str], planes: int) -> tuple[str, ...]:
    """The names of the routers of one plane, plane by plane."""
    return tuple(f"p{plane}-{name}" for plane in range(planes) for name in names)


def names_in_planes(names: Names, order: int, planes: int) -> Names:
    """Names of a network as those of several planes of it, where they are not that already.

    Args:
        names: of the network, as a file or :func:`names_of` gives them.
        order: its routers, one plane of them.
        planes: copies of it.

    Raises:
        InvalidParameters: fewer names of the ports of endpoints than planes; two routers of one name.

    Example:
        >>> names_in_planes(Names(routers=("a", "b")), 2, planes=2).routers
        ('p0-a', 'p0-b', 'p1-a', 'p1-b')
    """
    if planes == 1:
        return names
    if names.endpoint_ports is not None and len(names.endpoint_ports) < planes:
        raise InvalidParameters(
            f"names: {len(names.endpoint_ports)} of ports of an endpoint, expected {planes}, one a plane"
        )
    if names.routers is None or len(names.routers) != order:
        return names
    return require_names(replace(names, routers=_prefixed(names.routers, planes)))


def filled(names: Names, topology: Topology, planes: int = 1, **patterns: str) -> Names:
    """Complete names by patterns of numbers alone: `router`, `endpoint`, `port` and `endpoint_port`.

    Args:
        names: of all planes, as far as there are some.
        topology: the network, one plane of it.
        planes: copies of it, whose routers get names plane by plane.
        patterns: by the kinds of things.

    Raises:
        InvalidParameters: two things of one name then.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> ring = topology_from_spec("torus(dims=4,p=1)")
        >>> full = filled(ring.names, ring, router="S{n}", endpoint="H{n}", port="P{n}", endpoint_port="P{n}")
        >>> full.routers, full.ports
        (('S0', 'S1', 'S2', 'S3'), ('P1', 'P2', 'P3'))
    """
    counts = {
        "router": (0, topology.graph.order),
        "endpoint": (0, topology.endpoints),
        "port": (1, topology.router_radix),
        "endpoint_port": (1, planes),
    }
    lists = {f"{kind}s": getattr(names, f"{kind}s") for kind in counts}
    for kind, (first, count) in counts.items():
        if lists[f"{kind}s"] is None:
            numbers = range(first, first + count)
            found = tuple(Pattern.of(kind, patterns[kind]).names(lambda _, numbers=numbers: numbers, count))  # type: ignore[misc]
            lists[f"{kind}s"] = _prefixed(found, planes) if kind == "router" and planes > 1 else found
    return require_names(replace(names, **lists))


def _named(kind: str, given: str | list[str] | None, values: Values, count: int) -> tuple[str, ...] | None:
    """The names of all things of a kind."""
    if given is None:
        return None
    if isinstance(given, str):
        try:
            return tuple(Pattern.of(kind, given).names(values, count))
        except ZeroDivisionError:
            raise _fault(kind, given, "it divides by 0") from None
    if len(given) < count or (len(given) > count and not kind.endswith("port")):
        raise InvalidParameters(f"--names: {len(given)} names of {kind}s, expected {count}")
    return tuple(given)


def require_names(names: Names) -> Names:
    """Return names that are fit for use.

    Raises:
        InvalidParameters: two routers or endpoints of one name, or two ports; a name of no letters, too
            many or control characters, that begins or ends in a blank, or begins as formulas do.

    Example:
        >>> require_names(Names(routers=("a", "b"))).routers
        ('a', 'b')
    """
    things = [(f"router {number}", name) for number, name in enumerate(names.routers or ())]
    things += [(f"endpoint {number}", name) for number, name in enumerate(names.endpoints or ())]
    ports = [(f"port {number}", name) for number, name in enumerate(names.ports or (), start=1)]
    inner = [
        (f"endpoint port {number}", name) for number, name in enumerate(names.endpoint_ports or (), start=1)
    ]
    for kinds in (things, ports, inner, *([one] for one in names.types.items())):
        first: dict[str, str] = {}
        for thing, name in kinds:
            if not NAME.fullmatch(name) or not name.isprintable():
                raise InvalidParameters(
                    f"--names: {thing} is {quoted(name)}, expected 1 to {MOST_LETTERS} letters, no blank at "
                    "an end, and none of = + - @ first, which makes formulas in spreadsheets"
                )
            if name in first:
                raise InvalidParameters(
                    f"--names: {first[name]} and {thing} are both {quoted(name)}, expected a name for each"
                )
            first[name] = thing
    return names


@dataclass(frozen=True, eq=False)
class _RouterValues:
    """The values of fields of routers, plane by plane."""

    topology: Topology
    plan: Callable[[], FloorPlan]
    planes: int

    def __call__(self, name: str) -> Column:
        if name == "plane":
            return [plane for plane in range(self.planes) for _ in range(self.topology.graph.order)]
        if name in STANDING:
            plan = self.plan()
            return _standing(name, plan, plan.rack_of, plan.unit_of)
        return [*self._of_one_plane(name)] * self.planes

    def _of_one_plane(self, name: str) -> Column:
        if name == "n":
            return range(self.topology.graph.order)
        if name in ("group", "index"):
            groups = _groups(self.topology)
            return list((groups if name == "group" else _places(groups)).tolist())
        if name == "role":
            return ["leaf" if count else "spine" for count in self.topology.endpoints_per_router.tolist()]
        return _coordinates(self.topology, int(name[1:]))


@dataclass(frozen=True, eq=False)
class _EndpointValues:
    """The values of fields of endpoints; `names` are those of the routers, or None."""

    topology: Topology
    plan: Callable[[], FloorPlan]
    names: tuple[str, ...] | None

    def __call__(self, name: str) -> Column:
        routers = routers_of_endpoints(self.topology.endpoints_per_router)
        if name == "n":
            return range(len(routers))
        if name == "router_name":
            if self.names is None:
                raise InvalidParameters("--names: endpoints have the names of routers, expected these too")
            return [self.names[router] for router in routers.tolist()]
        if name in STANDING:
            plan = self.plan()
            return _standing(name, plan, plan.endpoint_racks, plan.endpoint_units)
        if name == "group":
            return list(_groups(self.topology)[routers].tolist())
        return list((routers if name == "router" else _places(routers)).tolist())


def _groups(topology: Topology) -> Integers:
    """The group of every router by its family.

    Raises:
        InvalidParameters: it has no groups.
    """
    groups = drawing_of(topology).groups
    if not groups.any():
        raise InvalidParameters(
            f"--names: {topology.spec or 'the network'} has no groups of routers, expected other fields, "
            "such as {n} or {rack}"
        )
    return groups


def _places(groups: Integers) -> Integers:
    """The place of everything in its group, from 0.

    Example:
        >>> _places(np.array([0, 1, 0, 1, 1])).tolist()
        [0, 0, 1, 1, 2]
    """
    by_group = np.argsort(groups, kind="stable")
    sizes = np.bincount(groups)
    places = np.empty(len(groups), dtype=np.int64)
    places[by_group] = np.arange(len(groups)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return places


def _coordinates(topology: Topology, axis: int) -> Column:
    """A coordinate of every router, from 0, in its layout or in the product that its family is."""
    sizes: Any = topology.parameters.get("dims", ())
    columns: list[Integers] = []
    if topology.layout is not None:
        columns = [*topology.layout.places.T]
    elif sizes:
        columns = [*np.unravel_index(np.arange(topology.graph.order), sizes)]
    if axis > len(columns):
        found = f"{len(columns)} coordinates" if columns else "no coordinates"
        raise InvalidParameters(f"--names: {{x{axis}}}: {topology.spec or 'the network'} has {found}")
    return list(columns[axis - 1].tolist())


def _standing(name: str, plan: FloorPlan, racks: Integers, units: Integers) -> Column:
    """Where things stand: their racks, rows, columns or units."""
    if name == "unit":
        return list((units + 1).tolist())
    if name == "rack":
        called = plan.rack_names()
        return [called[rack] for rack in racks.tolist()]
    column, row = (plan.places - plan.places.min(axis=0) + 1)[racks].T
    return list((column if name == "column" else row).tolist())


@dataclass(frozen=True)
class PortReader:
    """Numbers of ports by their names.

    Attributes:
        ports: names of the ports of routers, from port 1 on; None where the last number in a name counts.
        endpoint_ports: of endpoints, likewise.
    """

    ports: Sequence[str] | None = None
    endpoint_ports: Sequence[str] | None = None

    @cached_property
    def _numbers(self) -> tuple[Mapping[str, int] | None, Mapping[str, int] | None]:
        return tuple(  # type: ignore[return-value]
            None if names is None else {name: number for number, name in enumerate(names, start=1)}
            for names in (self.ports, self.endpoint_ports)
        )

    def number(self, name: str, *, of_router: bool) -> int:
        """The number of a port, from 1; 0 where its name tells none.

        Example:
            >>> PortReader().number("1/7", of_router=True)
            7
            >>> PortReader(("Ethernet0", "Ethernet4")).number("Ethernet4", of_router=True)
            2
        """
        known = self._numbers[0 if of_router else 1]
        if known is not None:
            return known.get(name, 0)
        digits = LAST_NUMBER.search(name)
        return int(digits[0]) if digits else 0
