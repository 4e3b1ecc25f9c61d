"""The record of a family; the conformance suite checks every claim against the kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from topoctl.families.drawing import Drawing
from topoctl.floor.placement import Placement
from topoctl.graph import Graph
from topoctl.topology import Topology, Value

Parameters = Mapping[str, Value]

Within = Callable[..., bool | None]
"""Whether the instance of the given parameters, by name, is still inside every upper bound of the windows;
None where it is, but is too large to be built."""

Lattice = Callable[[Within, range], Iterator[Parameters]]
"""A family's instances, from the smallest on: a loop ends where its smallest instance is not within.

The range holds the orders that networks with endpoints on all routers can have; others may be left out.
"""


@dataclass(frozen=True)
class Parameter:
    """One parameter of a family.

    Attributes:
        name: as written in a spec.
        meaning: one line for people.
        default: how an omitted value is chosen, in words; None where it must be given.
        kind: ``integer``; ``sizes``, a tuple of integers written ``4x4x3``; ``pairs``, a tuple of pairs of
            integers written ``1:0+3:2``; or ``word``, one of `choices`.
        least: smallest integer, of each size too.
        most: largest integer, of each size too.
        choices: the words.
        omitted: the omitted value, or the rule that takes it from the values known before it. A specification
            leaves out a parameter that has its constant omitted value, and prints one that a rule has set.
    """

    name: str
    meaning: str
    default: str | None = None
    kind: Literal["integer", "sizes", "pairs", "word"] = "integer"
    least: int = 0
    most: int = 2**31 - 1
    choices: tuple[str, ...] = ()
    omitted: Value | Callable[[Mapping[str, Any]], Value] = None


Shapes = Callable[[range, int, float], Iterator[Parameters]]
"""All of a family's networks for a range of endpoints on routers of so many ports at most, with their
concentrations, but for those whose ports stay empty or that differ in nothing that bounds tell. Those that
cannot have so much uniform throughput, at least, may be left out."""


Growth = Callable[[Parameters, int, int], Iterator[tuple[str, Graph]]]
"""From the parameters of an instance, an order and a degree: networks of that order, of no more links per
router, that keep the links of the instance, all but few; its routers come first. Each has a name."""


class Crossing(NamedTuple):
    """Links of one kind, such as those of a dimension or between two levels, that packets cannot go around.

    Attributes:
        links: of this kind.
        hops: over them that paths between all unordered pairs of distinct routers with endpoints, one a pair,
            take together at least.
    """

    links: int
    hops: int


@dataclass(frozen=True)
class Claims:
    """Closed forms of one instance. None means: the family has no closed form for it.

    Attributes:
        order: routers.
        network_radix: links of the router that has most, k'.
        size: links.
        diameter: hops; None also where the instance is not connected.
        distance_sum: hops over unordered pairs of distinct routers; ASPL = distance_sum / (order choose 2).
        connected: False only where the family declares it.
        leaves: routers that hold endpoints; None where all do.
        leaf_radix: links of such a router; None where all do.
        leaf_distance_sum: hops over unordered pairs of distinct routers with endpoints; None where all do.
        bisection: links between two halves in the source's closed form; it may be half an odd number, where
            the form assumes a side that can be halved.
        bisection_proof: where it is proven that no halving of the routers cuts fewer links than `bisection`;
            None where that is not proven, or not true.
        crossings: kinds of links that bound the uniform throughput under any routing, each by itself.
    """

    order: int
    network_radix: int
    size: int | None = None
    diameter: int | None = None
    distance_sum: int | None = None
    connected: bool = True
    leaves: int | None = None
    leaf_radix: int | None = None
    leaf_distance_sum: int | None = None
    bisection: Fraction | None = None
    bisection_proof: str | None = None
    crossings: tuple[Crossing, ...] = ()


@dataclass(frozen=True)
class OwnBounds:
    """Lower bounds of all networks of a family, tighter than the bounds of all graphs.

    Attributes:
        diameter: hops.
        aspl: the average distance over pairs of distinct routers, hops.
    """

    diameter: int
    aspl: float


@dataclass(frozen=True)
class Family:
    """One family of networks: one file (or package), one record, one registry line.

    Attributes:
        name: registry key and spec prefix.
        title: the family's name in the literature.
        source: paper, section, equation.
        definition: a paragraph: routers, links, what is special.
        closed_forms: what `claims` computes, as formulas for people.
        parameters: in spec order.
        examples: specs of small instances, the most telling first; the conformance suite builds them all.
        parse: spec text to parameters; None where the text is not a spec of this family.
            Raises InvalidParameters where it is one, but a wrong one.
        build: parameters to a topology; raises InvalidParameters.
        claims: parameters to closed forms, without building the graph.
        lattice: the structures to enumerate, without concentration; None where a search takes that place.
        wide: every structure, where `lattice` leaves out some that are equal or less common; else None.
        shapes: every network that a design looks at, where `lattice` leaves out some of these; else None.
        random: the graph depends on a draw: enumerated only when the family is named.
        carries: upper bound on the uniform throughput of one endpoint per router under any routing, which
            never grows with the last parameter of the lattice, or its last size; None for no bound.
        least: lower bounds that never shrink as a parameter of the lattice grows: the lattice ends where they
            are above a window. None where no claim ever shrinks.
        balanced: whether an instance, its concentration apart, is one of the family's balanced networks.
        own_bounds: order and network radix to the family's own lower bounds; None where none of its networks
            has them.
        own_measures: numbers that only this family's networks have, by the names under which they are
            reported.
        placement: the cabinets of the routers of an instance, by the source; None where it gives none.
        drawing: how an instance of some parameters is drawn; None for a circle, by the routers' numbers.
        growth: how routers are added to an instance with no cable moved, or few; None where there is nothing
            but larger instances.
        complete: some parameters to all, the omitted ones set by their rules; raises InvalidParameters.
    """

    name: str
    title: str
    source: str
    definition: str
    closed_forms: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    examples: tuple[str, ...]
    parse: Callable[[str], Parameters | None]
    build: Callable[[Parameters], Topology]
    claims: Callable[[Parameters], Claims]
    lattice: Lattice | None = None
    wide: Lattice | None = None
    shapes: Shapes | None = None
    random: bool = False
    carries: Callable[[Parameters], float] | None = None
    least: Callable[[Parameters], Claims] | None = None
    balanced: Callable[[Mapping[str, Any]], bool] = lambda _: True
    own_bounds: Callable[[int, int], OwnBounds | None] | None = None
    own_measures: Callable[[Topology], Mapping[str, int | float | None]] | None = None
    placement: Callable[[Topology], Placement] | None = None
    drawing: Callable[[Parameters], Drawing] | None = None
    growth: Growth | None = None
    complete: Callable[[Parameters], Parameters] = dict
