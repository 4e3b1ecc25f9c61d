"""Results as a table for people: coloured on a terminal, plain text elsewhere."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from topoctl.report.document import Document, Row
from topoctl.report.matrix import print_matrix

if TYPE_CHECKING:
    from rich.console import Console

SWEEP = "optimize sweep"
SPEC_WIDTH = 44
PLAIN_WIDTH = 10_000


@dataclass(frozen=True)
class Column:
    """A field of a row in a table: its heading, and how many decimals a float gets."""

    field: str
    heading: str
    decimals: int = 5


COLUMNS = (
    Column("id", "run"),
    Column("command", "command"),
    Column("status", "status"),
    Column("started", "started"),
    Column("rank", "rank"),
    Column("cell", "cell"),
    Column("name", "name"),
    Column("label", "in the paper"),
    Column("spec", "network"),
    Column("file", "file"),
    Column("layout", "layout"),
    Column("symmetry", "symmetry"),
    Column("width", "width"),
    Column("height", "height"),
    Column("order", "N"),
    Column("network_radix", "k'"),
    Column("degree", "K"),
    Column("length_limit", "L"),
    Column("longest_link", "longest link"),
    Column("mean_link_length", "mean link", 3),
    Column("concentration", "p"),
    Column("router_radix", "k"),
    Column("endpoints", "endpoints"),
    Column("diameter", "D"),
    Column("aspl", "ASPL"),
    Column("aspl_half_width", "±95%"),
    Column("endpoint_aspl", "endpoint ASPL"),
    Column("balance", "p/balanced", 2),
    Column("relative_bisection", "β", 3),
    Column("network_cost", "cost", 1),
    Column("aspl_gap", "gap"),
    Column("family_aspl_gap", "family gap"),
    Column("layout_aspl_gap", "layout gap"),
    Column("graph_golf_gap_percent", "layout gap %", 3),
    Column("moore_percent", "Moore %", 3),
    Column("average_latency_ns", "average ns", 2),
    Column("worst_latency_ns", "worst ns", 1),
    Column("latency_lower_bound_ns", "average ns ≥", 2),
    Column("worst_latency_lower_bound_ns", "worst ns ≥", 1),
    Column("power_watts", "W", 1),
    Column("electric_cable_percent", "electric %", 1),
    Column("diameter_lower_bound", "D ≥"),
    Column("aspl_lower_bound", "ASPL ≥"),
    Column("moore_order", "Moore order"),
    Column("family_aspl_bound", "Equality ASPL ≥"),
    Column("length_aspl_bound", "length ASPL ≥"),
    Column("layout_diameter_bound", "layout D ≥"),
    Column("layout_aspl_bound", "layout ASPL ≥"),
    Column("mean_length", "mean length", 3),
    Column("longest_length", "longest length"),
    Column("well_balanced", "well-balanced"),
    Column("recommended", "recommended"),
    Column("hops", "i"),
    Column("by_degree", "m(i)"),
    Column("by_length", "d(i)"),
    Column("by_both", "min(m, d)"),
    Column("published_diameter", "published D"),
    Column("published_aspl", "published ASPL"),
    Column("evaluations", "evaluations"),
    Column("seconds", "seconds", 1),
    Column("quantity", "quantity"),
    Column("published", "published"),
    Column("ours", "ours"),
    Column("picture", "picture"),
    Column("title", "title"),
    Column("outcome", "outcome"),
    Column("balance_difference", "length ASPL below degree's", 3),
    Column("agrees", "agrees"),
    Column("cells", "cells"),
    Column("remark", "remark"),
    Column("example", "example"),
)

SCORES = (
    *("rank", "spec", "file", "order", "network_radix", "concentration", "endpoints", "diameter", "aspl"),
    *("aspl_half_width", "endpoint_aspl", "aspl_gap", "moore_percent"),
)
FLOOR = ("layout", "width", "height", "length_limit", "layout_diameter_bound", "layout_aspl_bound")
PLACED = ("longest_link", "mean_link_length", "layout_aspl_gap", "graph_golf_gap_percent")
CABINETS = ("average_latency_ns", "worst_latency_ns", "power_watts", "electric_cable_percent")
LEVELS = ("hops", "by_degree", "by_length", "by_both")
BOUNDS = ("name", *FLOOR, "order", "network_radix", "diameter_lower_bound", "aspl_lower_bound", "moore_order")
ANNEALED = (
    "rank",
    "file",
    "symmetry",
    "diameter",
    "aspl",
    "average_latency_ns",
    "worst_latency_ns",
    "latency_lower_bound_ns",
    "worst_latency_lower_bound_ns",
    "power_watts",
    "electric_cable_percent",
)
LAYOUTS: dict[str, tuple[str, ...]] = {
    "optimize grid": (
        *ANNEALED,
        *("layout_aspl_gap", "graph_golf_gap_percent", "layout_diameter_bound", "layout_aspl_bound"),
    ),
    "optimize graph": (*ANNEALED, "aspl_gap", "diameter_lower_bound", "aspl_lower_bound", "moore_percent"),
    "optimize sweep": (
        *("cell", "file", "layout", "width", "height", "degree", "length_limit", "diameter", "aspl"),
        *("layout_aspl_gap", "graph_golf_gap_percent", "layout_diameter_bound", "layout_aspl_bound"),
        *("aspl_lower_bound", "length_aspl_bound", "balance_difference", "well_balanced"),
        *("outcome", "agrees", "remark"),
    ),
    "optimize sweep list": ("name", "cells", "title"),
    "search equality": ("rank", "spec", "diameter", "aspl", "aspl_gap", "family_aspl_gap", "moore_percent"),
    "evaluate": (*SCORES, *FLOOR, *PLACED, *CABINETS),
    "enumerate": (*SCORES, "router_radix", "balance", "relative_bisection"),
    "plot": ("id", "command", "spec", "file", "order", "network_radix", "diameter", "aspl", "picture"),
    "bounds": (*BOUNDS, "family_aspl_bound", "published_diameter", "published_aspl"),
    "bounds grid": (
        *FLOOR,
        *("order", "network_radix", "aspl_lower_bound", "length_aspl_bound"),
        *("mean_length", "longest_length", "well_balanced", "recommended"),
    ),
    "presets list": (
        *("name", "layout", "width", "height", "order", "network_radix", "length_limit", "concentration"),
        *("published_diameter", "published_aspl"),
    ),
    "presets compare": ("name", "title"),
    "presets compare NAME": ("label", "spec", "quantity", "published", "ours", "remark"),
    "families": ("name", "title", "example"),
    "runs list": ("id", "command", "status", "started", "evaluations", "seconds", "diameter", "aspl", "spec"),
}
"""The columns of a command's table, in the order of COLUMNS; a command without one shows rows in full."""


def print_table(document: Document) -> None:
    """Print a document's results on standard output."""
    console = make_console()
    rows = document["results"]
    layout = LAYOUTS.get(document["command"])
    if layout is None:
        for row in rows:
            print_fields(console, {name: value for name, value in row.items() if name != "networks"})
            print_networks(console, row.get("networks", []))
        return
    if not rows:
        console.print("nothing to show")
        return
    if document["command"] == SWEEP and document["parameters"]["objective"] == "diameter":
        print_matrix(console, rows)
    else:
        print_rows(console, rows, layout)
    for row in rows:
        if row.get("levels"):
            print_rows(console, row["levels"], LEVELS)
    for line in notes(document):
        console.print(line, soft_wrap=True, highlight=False, markup=False)


def make_console() -> Console:
    """A console on standard output; off a terminal it neither colours nor wraps."""
    from rich.console import Console

    return Console(width=None if sys.stdout.isatty() else PLAIN_WIDTH, highlight=False)


def print_rows(console: Console, rows: list[Row], layout: tuple[str, ...]) -> None:
    """One line a row, the columns of the layout that any row fills."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold" if console.is_terminal else "")
    columns = [
        column
        for column in COLUMNS
        if column.field in layout and any(row.get(column.field) is not None for row in rows)
    ]
    for column in columns:
        number = all(isinstance(row.get(column.field), int | float | None) for row in rows)
        table.add_column(
            column.heading, justify="right" if number else "left", no_wrap=number, overflow="ellipsis"
        )
    for row in rows:
        table.add_row(*(Text(shown(row.get(column.field), column)) for column in columns))
    console.print(table)


def print_networks(console: Console, rows: list[Row]) -> None:
    """The networks of a run: their scores as a table, then their specs in full."""
    if rows:
        print_rows(console, rows, SCORES)
    for row in rows:
        console.print(f"{row['rank']}: {row['spec']}", soft_wrap=True, markup=False)


def print_fields(console: Console, row: Row, indent: str = "") -> None:
    """One row in full, a line a field."""
    for field, value in row.items():
        if isinstance(value, dict):
            console.print(f"{indent}{field}", markup=False)
            print_fields(console, value, indent + "  ")
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            console.print(f"{indent}{field}", markup=False)
            for item in value:
                print_fields(console, item, indent + "  ")
        elif isinstance(value, list) and value and all(isinstance(item, str) for item in value):
            console.print(f"{indent}{field}", markup=False)
            for item in value:
                console.print(f"{indent}  {item}", soft_wrap=True, markup=False)
        else:
            text = "–" if value is None else str(value)
            console.print(f"{indent}{field:<28} {text}", soft_wrap=True, markup=False)


def shown(value: Any, column: Column) -> str:
    """A value as a table shows it; a long spec loses its middle, which JSON and CSV keep."""
    match value:
        case None:
            return "–"
        case float():
            return f"{value:.{column.decimals}f}"
        case str() if column.field == "spec" and len(value) > SPEC_WIDTH:
            return shortened(value)
    return str(value)


def shortened(spec: str) -> str:
    """A long spec without its middle.

    Example:
        >>> shortened("N2048K28[-1,1,101,115,191,321,387,447,481,519,697](200,410,614,824)")
        'N2048K28[-1,1,101,11…7](200,410,614,824)'
    """
    return f"{spec[:20]}…{spec[-19:]}" if len(spec) > SPEC_WIDTH else spec


def notes(document: Document) -> list[str]:
    """Lines below the table: what a row of numbers cannot say."""
    lines = []
    for row in document["results"]:
        if row.get("connected") is False:
            lines.append(
                f"{row['spec'] or row.get('file')}: not connected, so it has no diameter and no ASPL"
            )
        if row.get("sampled"):
            lines.append(
                f"{row['spec'] or row.get('file')}: {row['sources']} sampled sources; "
                f"ASPL {row['aspl']:.5f} ± {row['aspl_half_width']:.5f} (95%), "
                f"diameter at least {row['diameter_at_least']}"
            )
        if row.get("semicircle_cut") is not None and document["command"] == "evaluate":
            lines.append(equality_note(row))
    if document["command"] in ("presets compare NAME", SWEEP):
        lines += document["notes"]
    published = document.get("published")
    searched = document["command"].startswith(("search ", "optimize "))
    if searched and not document["command"].startswith(SWEEP) and document["results"]:
        best = document["results"][0]
        if best.get("meets_bound"):
            lines.append(
                "the best meets the bound: no network with these ports and lengths has shorter paths"
            )
        most = document["parameters"].get("max_latency_ns")
        if most is not None and best["worst_latency_ns"] > most:
            lines.append(
                f"no network found has all latencies within {most:g} ns; give it more time or longer links"
            )
        if published:
            aspl = "" if published["aspl"] is None else f", ASPL {published['aspl']:.5f}"
            lines.append(
                f"published ({published['preset']}): D {published['diameter']}{aspl}; "
                f"found: D {best['diameter']}, ASPL {best['aspl']:.5f}"
            )
        if best["spec"]:
            lines.append(f"best: {best['spec']}")
        if best.get("file"):
            lines.append(f"its graph: {best['file']}")
    return lines


def equality_note(row: Row) -> str:
    """The figures that only Equality networks have."""
    ratio = row["semicircle_network_ratio"]
    network_ratio = "" if ratio is None else f", b_r {ratio:.4f}"
    gap = row["family_aspl_gap"]
    text_of_gap = "" if gap is None else f", gap {gap:.5f}"
    return (
        f"{shortened(row['spec'])}: semicircle cut {row['semicircle_cut']} "
        f"(B_r {row['semicircle_topology_ratio']:.4f}{network_ratio}; an upper bound of the bisection); "
        f"no Equality network is below ASPL {row['family_aspl_bound']:.5f}{text_of_gap}"
    )
