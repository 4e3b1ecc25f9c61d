"""The columns of the tables: what a field is called, and which of them a command shows."""

from __future__ import annotations

from dataclasses import dataclass


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
    Column("seed", "seed"),
    Column("longest_link", "longest link"),
    Column("mean_link_length", "mean link", 3),
    Column("concentration", "p"),
    Column("router_radix", "k"),
    Column("endpoints", "endpoints"),
    Column("diameter", "D"),
    Column("pairs_beyond_wanted", "pairs beyond"),
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
    *("rank", "file", "symmetry", "diameter", "pairs_beyond_wanted", "aspl", *CABINETS),
    *("latency_lower_bound_ns", "worst_latency_lower_bound_ns"),
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
    "runs list": (
        *("id", "command", "status", "started", "name", "spec", "order", "network_radix", "length_limit"),
        *("seed", "diameter", "aspl", "evaluations", "seconds", "remark"),
    ),
}
"""The columns of a command's table, in the order of COLUMNS; a command without one shows rows in full."""
