"""Columns that the tables of several commands have, from left to right."""

from __future__ import annotations

from topoctl.fields import COLUMNS, FIELDS, Rows, fields_of

MEASURED = tuple(field.name for field in FIELDS.values() if field.in_tables)
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
CABLED = tuple(name for name in fields_of(Rows.CABLED) if name in COLUMNS)
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
