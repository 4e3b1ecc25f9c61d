"""The columns of the tables: what a field is called there, and those that several commands show."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Column:
    """A field of a row in a table.

    Attributes:
        field: of the row.
        heading: above its cells.
        decimals: of a float.
        any_size: its floats are of different sizes: six digits are shown, and all before the point.
        long: holds names, which are never wrapped, but get lines of their own where they are long.
        sentences: holds sentences, which are wrapped at their words.
        answers: for false and true.
        first: kept before all others where not all fit, because a row is known by it.
    """

    field: str
    heading: str
    decimals: int = 5
    any_size: bool = False
    long: bool = False
    sentences: bool = False
    answers: tuple[str, str] = ("no", "yes")
    first: bool = False


KNOWN = (
    Column("run", "run"),
    Column("run_rank", "rank in run"),
    Column("command", "command"),
    Column("status", "status"),
    Column("started", "started"),
    Column("rank", "rank"),
    Column("cell", "cell"),
    Column("name", "name", long=True),
    Column("label", "in the paper", sentences=True),
    Column("spec", "network", long=True),
    Column("file", "file", long=True),
    Column("format", "format"),
    Column("layout", "layout"),
    Column("symmetry", "symmetry"),
    Column("width", "width"),
    Column("height", "height"),
    Column("order", "N"),
    Column("links", "links"),
    Column("network_radix", "k'"),
    Column("degree", "K"),
    Column("length_limit", "L"),
    Column("length_limit_m", "L m", 3),
    Column("seed", "seed"),
    Column("group", "group"),
    Column("note", "note", sentences=True),
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
    Column("relative_bisection_lower_bound", "β ≥", 3),
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
    Column("cables", "cables"),
    Column("electrical_cables", "electrical"),
    Column("optical_cables", "optical"),
    Column("cable_metres", "cable m", 1),
    Column("bought_metres", "bought m", 1),
    Column("longest_cable_metres", "longest m", 2),
    Column("racks", "racks"),
    Column("floor_width", "floor x m", 1),
    Column("floor_depth", "floor y m", 1),
    Column("cost_dollars", "$", 0),
    Column("router_dollars", "routers $", 0),
    Column("cable_dollars", "cables $", 0),
    Column("cost_per_endpoint", "$/endpoint", 1),
    Column("power_per_endpoint", "W/endpoint", 2),
    Column("uniform_throughput", "θ", 3),
    Column("uniform_throughput_paths", "θ paths", 3),
    Column("uniform_throughput_bound", "θ ≤", 3),
    Column("routing_throughput", "θ routed", 3),
    Column("best_throughput", "θ best", 3),
    Column("best_minimal_throughput", "θ best minimal", 3),
    Column("worst_case_throughput", "θ worst", 3),
    Column("max_link_load", "max load", 3),
    Column("mean_link_load", "mean load", 3),
    Column("routing", "routing"),
    Column("traffic", "traffic"),
    Column("throughput", "throughput", 3),
    Column("max_channel_load", "largest load", 3),
    Column("mean_channel_load", "mean load of all", 3),
    Column("max_hops", "hops ≤"),
    Column("table_entries", "next hops"),
    Column("virtual_channels", "VCs"),
    Column("channel_scheme", "VCs by"),
    Column("deadlock_free", "deadlock", answers=("can", "cannot")),
    Column("bisection_lower_bound", "bisection ≥"),
    Column("bisection_upper_bound", "bisection ≤"),
    Column("relative_bisection_upper_bound", "β ≤", 3),
    Column("link_failures_connected_percent", "links %"),
    Column("link_failures_diameter_percent", "links % D+2"),
    Column("link_failures_aspl_percent", "links % ASPL+1"),
    Column("router_failures_connected_percent", "routers %"),
    Column("router_failures_diameter_percent", "routers % D+2"),
    Column("router_failures_aspl_percent", "routers % ASPL+1"),
    Column("edge_connectivity", "connectivity"),
    Column("edge_disjoint_paths_mean", "disjoint paths", 2),
    Column("shortest_paths_min", "least paths"),
    Column("shortest_paths_mean", "paths", 2),
    Column("load_lower_bound", "load ≥", 2),
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
    Column("by_both", "min"),
    Column("published_diameter", "published D"),
    Column("published_aspl", "published ASPL"),
    Column("evaluations", "evaluations"),
    Column("seconds", "seconds", 1),
    Column("best_seconds", "best after s", 1),
    Column("quantity", "quantity"),
    *(
        Column(field, heading, any_size=True)
        for field, heading in (
            *(("x", "along x"), ("published", "published"), ("ours", "ours")),
            *(("ours_at_least", "ours ≥"), ("ours_at_most", "ours ≤")),
        )
    ),
    Column("equal", "equal", answers=("≠", "=")),
    Column("picture", "picture", long=True),
    Column("title", "title", sentences=True),
    Column("outcome", "outcome"),
    Column("balance_difference", "length ASPL below degree's", 3),
    Column("agrees", "agrees"),
    Column("cells", "cells"),
    Column("pareto", "front"),
    Column("found_by", "found by"),
    Column("remark", "remark", sentences=True),
    Column("term", "term"),
    Column("heading", "heading", sentences=True),
    Column("meaning", "meaning", sentences=True),
    Column("source", "source", sentences=True),
    Column("example", "example", long=True),
)

COLUMNS = {column.field: column for column in KNOWN}
"""By field."""

IMPORTANT = (
    *("rank", "pareto", "run", "cell", "name", "label", "x", "quantity", "published", "ours", "equal"),
    *("command", "status", "term", "meaning", "spec", "file", "remark", "hops", "diameter", "aspl"),
    *("routing", "traffic", "throughput", "uniform_throughput", "routing_throughput"),
    *("worst_case_throughput", "best_throughput", "virtual_channels", "deadlock_free", "max_hops"),
    *("cost_per_endpoint", "average_latency_ns", "power_per_endpoint", "cost_dollars"),
    *("cables", "electrical_cables", "optical_cables", "cable_metres", "racks"),
    *("bisection_lower_bound", "bisection_upper_bound"),
    *("link_failures_connected_percent", "edge_connectivity"),
    *("worst_latency_ns", "power_watts", "pairs_beyond_wanted"),
    *("degree", "order", "network_radix", "length_limit", "length_limit_m", "seed", "group"),
    *("outcome", "well_balanced"),
    *("recommended", "picture", "diameter_lower_bound", "aspl_lower_bound"),
    *("published_diameter", "published_aspl", "layout_diameter_bound", "layout_aspl_bound"),
    *("layout_aspl_gap", "concentration", "endpoints", "load_lower_bound"),
)
"""What tables keep where not all fits, most important first; then come the others, from left to right."""

MEASURED = ("diameter", "aspl", "aspl_half_width", "endpoint_aspl")
"""Of every network that is measured."""
SCORES = (
    *("rank", "seed", "run", "spec", "file", "order", "network_radix", "concentration", "endpoints"),
    *(*MEASURED, "aspl_gap", "moore_percent"),
)
"""Of the networks of a run, whichever its search is."""
SEEDS = ("seed", "run", "status", "spec", "diameter", "pairs_beyond_wanted", "aspl", "evaluations", "seconds")
"""Of what each seed of a group found."""
DESIGNED = (
    *("rank", "pareto", "spec", "run", "order", "network_radix", "concentration", "endpoints", "diameter"),
    *("uniform_throughput", "routing_throughput", "worst_case_throughput"),
    *("cost_per_endpoint", "average_latency_ns", "power_per_endpoint"),
    *("relative_bisection_lower_bound", "link_failures_connected_percent", "remark"),
)
"""Of the networks of a design."""
CABLED = (
    *("cables", "electrical_cables", "optical_cables", "cable_metres", "bought_metres"),
    *("longest_cable_metres", "racks", "floor_width", "floor_depth"),
)
"""Of networks on a floor."""
ROUTED = (
    *("routing", "traffic", "throughput", "max_channel_load", "mean_channel_load", "max_hops"),
    *("worst_case_throughput", "best_throughput", "best_minimal_throughput", "table_entries"),
    *("virtual_channels", "channel_scheme", "deadlock_free"),
)
"""Of networks that are routed."""
LEVELS = ("hops", "by_degree", "by_length", "by_both")
"""Of what a corner reaches in 0, 1, 2, … hops."""
ANNEALED = ("rank", "file", "symmetry", "diameter", "pairs_beyond_wanted", "aspl")
"""Of networks whose links were exchanged."""
BOUNDED_CABINETS = (
    *("average_latency_ns", "worst_latency_ns", "latency_lower_bound_ns", "worst_latency_lower_bound_ns"),
    *("power_watts", "electric_cable_percent"),
)
"""Of those in cabinets, with what no such network falls below."""
