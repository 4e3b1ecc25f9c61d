"""What a field is: a number or a word that rows of results hold, told once for tables, JSON, CSV and docs."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from enum import Flag, auto
from math import inf

from topoctl.fields.kinds import Kind

GRAPH_GOLF = "Graph Golf rules"
GRID = "Nakano et al. 2016"
HYPERX = "Ahn et al. 2009 (HyperX)"
EQUALITY = "Liang et al. 2022"
SLIM_FLY = "Besta & Hoefler 2014"
HOSTS = "Yasudo et al. 2019"
FLEX = "Jeon et al. 2022 (FleX)"


class Rows(Flag):
    """Groups of rows that have a field; `report/schema/rows.py` makes the rows of every command of them."""

    NONE = 0
    NETWORK = auto()
    """Every measured network."""
    SOME_NETWORKS = auto()
    """Networks that are sampled, not connected, found by a run, of a family, …"""
    PLACED = auto()
    """Networks on a layout."""
    CABLED = auto()
    """What `cable` counts."""
    CHECKED = auto()
    """What `check` finds."""
    ROUTED = auto()
    """What `route` measures."""
    REPAIRED = auto()
    """What `route` tells of tables that go round failures."""
    SURVIVED = auto()
    """What it tells of every single failure together."""
    SIMULATED = auto()
    """What `simulate` measures at one load."""
    SOME_SIMULATED = auto()
    """What it tells where it is asked for."""
    WORKED = auto()
    """What `simulate` finds of work that is completed, and of every job."""
    SOME_WORKED = auto()
    """What it tells of it where it is asked for."""
    BOUNDS = auto()
    """Bounds of an order and a radix."""
    BOUNDS_OF_FAMILIES = auto()
    BOUNDS_OF_LAYOUTS = auto()
    BOUNDS_OF_HOSTS = auto()
    PRINTED = auto()
    """What a paper may print of a cell."""
    RUN = auto()
    """Every run of a study."""


@dataclass(frozen=True)
class Column:
    """How a field of rows is shown in tables.

    Attributes:
        name: of the field.
        heading: above its cells; empty where no table has such a column.
        decimals: of a float.
        any_size: show six digits of a float, and all before the point, since values differ in size.
        small: show two digits of a float, however small it is.
        long: holds names, which are never wrapped, but get lines of their own where they are long.
        sentences: holds sentences, which are wrapped at their words.
        answers: for false and true.
        first: kept before all others where not all fit, because a row is known by it.
    """

    name: str
    heading: str
    _: KW_ONLY
    decimals: int = 5
    any_size: bool = False
    small: bool = False
    long: bool = False
    sentences: bool = False
    answers: tuple[str, str] = ("no", "yes")
    first: bool = False


@dataclass(frozen=True, eq=False)
class Field(Column):
    """A field of rows, by its name in JSON and CSV.

    Attributes:
        kind: type and unit of its values, as JSON Schema; of values that are not null.
        meaning: a line of the glossary.
        source: that defines it; empty for what topoctl or everyone calls so.
        legend: the meaning in a few words, below tables where the heading is a sign.
        words: of pictures and pages, without sign and unit; empty where the legend or the heading will do.
        also: other words that a user may look it up by, among them options.
        keep: rank among the columns that narrow tables keep, the lowest first; those without one come last.
        in_tables: whether all tables of measured networks have it; other columns a table names.
        more_is_better: of two values, on fronts; of every other number less is better.
        rows: groups of rows that have it; other rows are told in `report/schema/rows.py`.
        nullable: whether it may be null in rows of networks; what a measure measures may always be.
    """

    kind: Kind
    meaning: str
    _: KW_ONLY
    source: str = ""
    legend: str = ""
    words: str = ""
    also: tuple[str, ...] = ()
    keep: float = inf
    in_tables: bool = False
    more_is_better: bool = False
    rows: Rows = Rows.NONE
    nullable: bool = False


@dataclass(frozen=True)
class Word:
    """A word of the glossary without a field.

    Attributes:
        name: the word.
        meaning: a line.
        source: that defines it; empty for what topoctl or everyone calls so.
        also: other words that a user may look it up by, among them options.
    """

    name: str
    meaning: str
    source: str = ""
    also: tuple[str, ...] = ()
    heading: str = ""
