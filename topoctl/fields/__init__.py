"""All that results can hold: one record a field, read by tables, the glossary, the JSON Schema and fronts."""

from __future__ import annotations

import re

from topoctl.fields.bounds import BOUNDS
from topoctl.fields.distances import DISTANCES, NETWORKS
from topoctl.fields.measures import FLOORS, LOADS, RESILIENCE
from topoctl.fields.papers import LISTINGS, PAPERS
from topoctl.fields.record import EQUALITY, Column, Field, Rows, Word
from topoctl.fields.runs import EFFORT, RUNS
from topoctl.fields.simulation import SIMULATION

__all__ = [
    "COLUMNS",
    "FIELDS",
    "WORDS",
    "Column",
    "Field",
    "Rows",
    "Word",
    "column_of",
    "fields_of",
    "headline",
    "in_words",
    "sign",
    "unit_of",
]

FIELDS = {
    field.name: field
    for fields in (
        *(RUNS, NETWORKS, DISTANCES, FLOORS, LOADS, SIMULATION, RESILIENCE),
        *(BOUNDS, PAPERS, EFFORT, LISTINGS),
    )
    for field in fields
}
"""By name, in the order of the glossary."""
COLUMNS = {name: field for name, field in FIELDS.items() if field.heading}
"""Fields that tables show."""

WORDS = (
    Word("router", "a switch, vertex of the graph", also=("switch", "vertex")),
    Word("endpoint", "a computer or other device at a port of a router", also=("host", "terminal")),
    Word("rack", "where routers and endpoints stand, unit above unit, on a floor", also=("racks",)),
    Word("port", "where a link or an endpoint is attached to a router"),
    Word("radix", "ports of a router; its network radix counts those of links alone"),
    Word(
        "virtual channel",
        "one of several queues that share a link, each with room of its own",
        also=("lane",),
    ),
    Word(
        "certificate",
        "numbers of all virtual channels that rise along every route, which proves that no packets deadlock",
        also=("--certificate",),
    ),
    Word(
        "load",
        "what a link carries in one direction when every endpoint sends all it can, over its bandwidth",
    ),
    Word(
        "Moore's bound",
        "the least diameter and ASPL of any network with this many routers and links",
        also=("Moore", "Moore bound"),
    ),
    Word("orbit", "routers, or links, that the symmetry of a network maps onto each other"),
    Word(
        "voltage lift",
        "a network of copies of a small one, whose links join the copies that a group's elements tell",
        also=("lift",),
    ),
    Word("race", "searches from several starts side by side; the better half continues, again and again"),
    Word("start", "the network that a search begins with; its origin is the structure it is made from"),
    Word("evaluation", "a network that a search measures, to keep it or not"),
    Word("epoch", "a piece of a search, after which it can be saved, stopped and resumed"),
    Word("checkpoint", "the state of a search after an epoch, kept in its study"),
    Word("instance", "a network of a family: its parameters but for the concentration"),
    Word(
        "balanced", "with as many endpoints per router as the family's own rule allows", also=("--balanced",)
    ),
    Word(
        "knee",
        "the network of a front that loses least in all numbers together, each as a share of the best there",
    ),
    Word("preset", "a published network to be searched again, by name", also=("--preset",)),
    Word("study", "the SQLite file that keeps runs and their checkpoints", also=("--study", "--no-study")),
    Word("replicas", "networks that are annealed side by side", also=("--replicas",)),
    Word(
        "hop set",
        "by how much the numbers of linked routers of an Equality network differ: odd hops and even hops",
        EQUALITY,
        also=("odd hops", "even hops"),
    ),
    Word(
        "generator", "an element of a group that leads from every router of a Cayley network to a neighbour"
    ),
    Word("islands", "populations of a genetic search, side by side", EQUALITY, also=("--islands",)),
    Word("moves", "exchanges of links that a replica tries", also=("--moves",)),
    Word(
        "cabinet", "where routers stand; cables between two are counted by their length", also=("--cabinet",)
    ),
    Word("objective", "what a search makes small: hops, latency or power", also=("--objective",)),
    Word("measures", "numbers that are measured where they are asked for, by name", also=("--measures",)),
    Word("workers", "threads; results do not depend on their number", also=("--workers",)),
)
"""Words of options and help that are no fields."""

MOST_LETTERS = 2
"""Of a heading that is a sign, such as k'."""


def column_of(name: str) -> Column:
    """Return the column of a field, or one with the name as its heading for a field that no table shows.

    Example:
        >>> column_of("order").heading, column_of("asked_k").heading
        ('N', 'asked_k')
    """
    return COLUMNS.get(name) or Column(name, name)


def in_words(name: str) -> str:
    """Return what pictures and pages call a quantity: words, and its sign where it has one.

    Example:
        >>> in_words("uniform_throughput"), in_words("cost_per_endpoint"), in_words("asked_k")
        ('uniform throughput θ', 'cost per endpoint', 'asked k')
    """
    field = FIELDS.get(name)
    if field is None:
        return name.replace("_", " ")
    said = field.words or field.legend or field.heading or name.replace("_", " ")
    is_sign = 0 < len(field.heading) <= MOST_LETTERS and field.heading not in (said, unit_of(name))
    return f"{said} {field.heading}" if is_sign else said


def headline(name: str) -> str:
    """Return the same for an axis or a heading: with a capital, and with the unit, unless it is hops.

    Example:
        >>> headline("network_radix"), headline("cost_per_endpoint"), headline("aspl")
        ("Links per router k'", 'Cost per endpoint, $', 'Average shortest path length (ASPL)')
    """
    said, unit = in_words(name), unit_of(name)
    known = unit in ("", "hops") or unit in re.split("[ /]", said)
    return said[:1].upper() + said[1:] + ("" if known else f", {unit}")


def unit_of(name: str) -> str:
    """Return the unit of a field, or nothing."""
    return str(FIELDS[name].kind.get("unit", "")) if name in FIELDS else ""


def fields_of(rows: Rows) -> tuple[str, ...]:
    """Return the names of the fields that any of these groups of rows has.

    Example:
        >>> fields_of(Rows.BOUNDS)
        ('order', 'network_radix', 'moore_order', 'diameter_lower_bound', 'aspl_lower_bound')
    """
    return tuple(name for name, field in FIELDS.items() if field.rows & rows)


def sign(name: str) -> int:
    """Return 1 where less of a quantity is better, and -1 where more is."""
    return -1 if name in FIELDS and FIELDS[name].more_is_better else 1
