"""All that results can hold: one record a field, read by tables, the glossary, the JSON Schema and fronts."""

from __future__ import annotations

from topoctl.fields.bounds import BOUNDS
from topoctl.fields.measures import FLOORS, LOADS, RESILIENCE
from topoctl.fields.networks import DISTANCES, NETWORKS
from topoctl.fields.papers import LISTINGS, PAPERS
from topoctl.fields.record import EQUALITY, Column, Field, Rows, Word
from topoctl.fields.runs import EFFORT, RUNS

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
    "sign",
]

FIELDS = {
    field.name: field
    for fields in (RUNS, NETWORKS, DISTANCES, FLOORS, LOADS, RESILIENCE, BOUNDS, PAPERS, EFFORT, LISTINGS)
    for field in fields
}
"""By name, in the order of the glossary."""
COLUMNS = {name: field for name, field in FIELDS.items() if field.heading}
"""Fields that tables show."""

WORDS = (
    Word("router", "a switch, vertex of the graph", also=("switch", "vertex")),
    Word("endpoint", "a computer or other device at a port of a router", also=("host", "terminal")),
    Word("port", "where a link or an endpoint is attached to a router"),
    Word("instance", "a network of a family: its parameters but for the concentration"),
    Word(
        "balanced", "with as many endpoints per router as the family's own rule allows", also=("--balanced",)
    ),
    Word("preset", "a published network to be searched again, by name", also=("--preset",)),
    Word("study", "the SQLite file that keeps runs and their checkpoints", also=("--study", "--no-study")),
    Word("replicas", "networks that are annealed side by side", also=("--replicas",)),
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


def column_of(name: str) -> Column:
    """Return the column of a field, or one with the name as its heading for a field that no table shows.

    Example:
        >>> column_of("order").heading, column_of("asked_k").heading
        ('N', 'asked_k')
    """
    return COLUMNS.get(name) or Column(name, name)


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
