"""The fields of every kind of row."""

from __future__ import annotations

from dataclasses import dataclass, field

from topoctl.fields import FIELDS, Rows, fields_of
from topoctl.fields.kinds import NUMBER, TEXT, WHOLE, Kind, either, many, or_null, record, says
from topoctl.fields.measures import TRAFFIC_PATTERNS
from topoctl.fields.simulation import BY_TIME
from topoctl.measures import MEASURES


@dataclass(frozen=True)
class RowKind:
    """Which fields a kind of row has.

    Attributes:
        title: what a row is.
        required: fields that every one has.
        optional: fields that only some have.
        null: fields that may be null.
        own: fields that every one has, which are something else in other rows, and what they are here.
        patterns: fields by regular expressions of their names.
    """

    title: str
    required: tuple[str, ...]
    optional: tuple[str, ...] = ()
    null: tuple[str, ...] = ()
    own: dict[str, Kind] = field(default_factory=dict)
    patterns: dict[str, Kind] = field(default_factory=dict)


def reference(name: str) -> Kind:
    """What the definition of this name says."""
    return {"$ref": f"#/$defs/{name}"}


def row_name(name: str) -> str:
    """The name of a kind of row among the definitions, which no field has.

    Example:
        >>> row_name("term")
        'term_row'
    """
    return f"{name}_row"


def one_of_rows(*names: str) -> Kind:
    """A row of one of these kinds."""
    kinds = [reference(row_name(name)) for name in names]
    return kinds[0] if len(kinds) == 1 else {"anyOf": kinds}


FAMILY_PARAMETER = record(
    {"name": TEXT, "meaning": TEXT, "default": either("integer", "number", "string", "null")}
)

CHANNELS = ("virtual_channels", "channel_scheme", "deadlock_free", "deadlock_cycle")
LIMITS = ("worst_case_throughput", "best_throughput", "best_minimal_throughput")
"""Of routings, where these are asked for."""
LATENCIES = (
    *("latency", "latency_half_width", "latency_p50", "latency_p95", "latency_p99", "latency_p99_9"),
    *("network_latency", "queueing_latency", "zero_load_latency", "mean_hops"),
)
"""Of a simulation in which no packet has arrived, there are none."""
IN_TIME = ("latency_ns", "latency_p99_ns", "zero_load_latency_ns")
"""The same in nanoseconds."""
UNCOMPLETED = (
    *("job", "completion_cycles", "completion_half_width", "efficiency", *fields_of(Rows.SOME_WORKED)),
    *(name for name in fields_of(Rows.WORKED) if name.startswith("message_latency")),
)
"""Of work that is not completed, or has no messages; the job of a row of all jobs."""
OF_SEEDS = ("accepted_half_width", "saturation_half_width")
"""Of a simulation by several seeds."""
GRAPH = ("order", "size", "network_radix", "diameter", "aspl")
"""Of every network, also one that is too large to measure."""
NAMED = ("spec", "file", "order", "links", "network_radix", "concentration", "endpoints")
"""Of a network beside what is found of it."""
MEASURED = fields_of(Rows.NETWORK)
MEASURED_WHERE_ASKED = tuple(name for measure in MEASURES.values() for name in measure.fields)
PLACED = fields_of(Rows.PLACED)
OF_SOME = (*fields_of(Rows.SOME_NETWORKS | Rows.PLACED), *MEASURED_WHERE_ASKED)
UNKNOWN = (*(name for name, field in FIELDS.items() if field.nullable), *MEASURED_WHERE_ASKED)
"""Null of networks without a spec or a limit, that are not connected, sampled, or have hardly any router."""
BROKEN = ("cables_beyond_limit", "metres_beyond_limit")
"""Of networks that were searched with a limit, on whatever floor they stand."""
DESIGNED = (
    *(name for name in MEASURES["cost"].fields if name not in BROKEN),
    *(*MEASURES["latency"].fields, "power_watts", "power_per_endpoint"),
    *("uniform_throughput", "uniform_throughput_paths", "max_link_load", "own_throughput", "own_routing"),
)
"""Of every network of a design."""
DESIGNED_SOME = (
    *("relative_bisection_lower_bound", "behind", "merged", "latency_sources", "latency_half_width_ns"),
    *(f"{name}_{what}" for name in TRAFFIC_PATTERNS for what in ("throughput", "routing")),
)
"""Of networks that are compared by it, or that stand for others."""
BOUNDS = fields_of(Rows.BOUNDS)
FAMILY_BOUNDS = fields_of(Rows.BOUNDS_OF_FAMILIES)
FLOOR = ("layout", "width", "height", "length_limit")
LAYOUT_BOUNDS = fields_of(Rows.BOUNDS_OF_LAYOUTS)
PRINTED = fields_of(Rows.PRINTED)
BESIDE = ("balance_difference", "well_balanced", "agrees", "remark")
"""Of a cell whose bounds a paper prints."""
MARK = ("published_spec", "published_diameter", "published_distance_sum", "published_aspl")
PRESET = ("order", "network_radix", "name", "title", "source", "command", *MARK)
OF_SOME_PRESETS = ("concentration", "degree", *FLOOR)
RUN = fields_of(Rows.RUN)
SEARCHED = (
    *("name", "order", "network_radix", "length_limit", "length_limit_m", "width", "height"),
    *("spec", "diameter", "aspl"),
)
"""Of a run that is not damaged."""

CELL_FIELDS = (
    *(name for name in MEASURED if name != "rank"),
    *OF_SOME,
    *FAMILY_BOUNDS,
    *LAYOUT_BOUNDS,
    *PRINTED,
    *("balance", "relative_bisection", "levels", "well_balanced", "recommended"),
    *("degree", "outcome", "beats_published", "seed", "run", "spread", "remark"),
    *fields_of(Rows.SIMULATED | Rows.WORKED | Rows.SOME_WORKED),
    *("saturation_load", *OF_SEEDS, "completion_half_width"),
)
"""What the commands of sweeps find, in one cell or another."""

ROWS = {
    "network": RowKind("a measured network", MEASURED, OF_SOME, UNKNOWN),
    "listed_network": RowKind(
        "a network of an enumeration",
        (*MEASURED, "balance", "relative_bisection"),
        OF_SOME,
        (*UNKNOWN, "balance", "relative_bisection"),
    ),
    "designed_network": RowKind(
        "a network of a design",
        (*MEASURED, *DESIGNED, "pareto", "found_by", "run", "run_rank", "remark"),
        (*OF_SOME, *DESIGNED_SOME),
        (*UNKNOWN, *DESIGNED, *DESIGNED_SOME, "run_rank", "remark"),
    ),
    "unmeasured_network": RowKind(
        "a network too large to measure",
        ("rank", "spec", *GRAPH),
        ("links", "distance_sum", "file", "format", "picture"),
        ("spec", "diameter", "aspl", "distance_sum", "file"),
    ),
    "cabled_network": RowKind(
        "a network on a floor, and its cables",
        (*NAMED, *fields_of(Rows.CABLED)),
        ("sold_ports", "free_ports", "length_limit_m", "planes", "total_routers", "total_links", *BROKEN),
        null=("spec", "file"),
    ),
    "wiring_difference": RowKind(
        "a difference between what was planned and what was found",
        fields_of(Rows.CHECKED),
        null=("cable", "from", "to", "found"),
    ),
    "routed_network": RowKind(
        "a network under a routing and a pattern of traffic",
        (*NAMED, *fields_of(Rows.ROUTED)),
        fields_of(Rows.REPAIRED),
        null=(
            "spec",
            "file",
            "throughput",
            "most_loaded_link",
            *CHANNELS,
            *LIMITS,
            *fields_of(Rows.REPAIRED),
        ),
    ),
    "survived_failures": RowKind(
        "a network under a routing and a pattern of traffic, and what every single failure leaves of it",
        (*NAMED, "routing", "traffic", "throughput", "virtual_channels", *fields_of(Rows.SURVIVED)),
        null=(
            *("spec", "file", "throughput", "virtual_channels", "worst_failure", "worst_failure_throughput"),
            *("most_virtual_channels", "failures_with_more_channels"),
        ),
    ),
    "simulated_network": RowKind(
        "a network under a routing and a pattern of traffic, at one load",
        (*NAMED, *fields_of(Rows.SIMULATED)),
        (*OF_SEEDS[:1], *fields_of(Rows.SOME_SIMULATED)),
        null=("spec", "file", "throughput", *LATENCIES, *IN_TIME, "waiting_cycle", OF_SEEDS[0]),
    ),
    "saturated_network": RowKind(
        "a network under a routing and a pattern of traffic, and the largest load that it accepts",
        (*NAMED, *fields_of(Rows.SIMULATED), "saturation_load"),
        (*OF_SEEDS, *fields_of(Rows.SOME_SIMULATED)),
        null=(
            *("spec", "file", "throughput", "saturation_load", "waiting_cycle"),
            *(*LATENCIES, *IN_TIME, *OF_SEEDS),
        ),
    ),
    "simulated_time": RowKind(
        "what a network did in some cycles of a simulation",
        BY_TIME,
        null=("latency", "latency_p99", "network_latency", "mean_hops"),
    ),
    "completed_work": RowKind(
        "a network under a routing, and the time that work takes, or one of its jobs",
        (
            *(*NAMED, "routing", *fields_of(Rows.WORKED), "deadlocked", "waiting_cycle", "proven", "cycles"),
            *("largest_injection_load", "largest_link_load", "largest_ejection_load"),
            *("mean_simulated_link_load", "bottleneck"),
            *("virtual_channels", "channel_scheme"),
        ),
        ("packets", "network_latency", "mean_hops", "completion_half_width", *fields_of(Rows.SOME_WORKED)),
        null=("spec", "file", "waiting_cycle", "network_latency", "mean_hops", *UNCOMPLETED),
    ),
    "configured_network": RowKind(
        "what a configuration file of BookSim asks for",
        (
            *("file", "routing", "traffic", "offered_load", "accepted_load", "least_accepted", "latency"),
            *("network_latency", "mean_hops", "saturated", "converged", "proven", "cycles", "packets"),
            "virtual_channels",
        ),
        null=("latency", "network_latency", "mean_hops"),
        own={
            "hops": says(or_null(NUMBER), "mean number of routers that packets visited, as BookSim counts"),
            "flit_latency": says(or_null(NUMBER), "mean cycles from the entry of a flit to its arrival"),
            "fragmentation": says(
                or_null(NUMBER), "mean cycles by which packets arrive later than their flits"
            ),
        },
    ),
    "found_cell": RowKind(
        "the network found for a cell of a paper's table",
        (*MEASURED, *PLACED, *LAYOUT_BOUNDS, "symmetry", "cell", "degree", "outcome", "beats_published"),
        (*OF_SOME, *PRINTED),
        (*UNKNOWN, "outcome", "beats_published"),
    ),
    "swept_cell": RowKind(
        "a cell of a sweep: what was asked, and the best that its command found there",
        ("cell",),
        CELL_FIELDS,
        (
            *(*UNKNOWN, "balance", "relative_bisection", "outcome", "beats_published", "run"),
            *("file", "throughput", "saturation_load", *LATENCIES, "waiting_cycle", *OF_SEEDS),
            *UNCOMPLETED,
        ),
        patterns={r"^asked_": says(either("boolean", "number", "string"), "the value of an axis")},
    ),
    "bounded_cell": RowKind(
        "the bounds of a cell of a paper's table",
        (*BOUNDS, *FLOOR, *LAYOUT_BOUNDS, "rank", "cell", "degree", *BESIDE),
        PRINTED,
        ("remark",),
    ),
    "bounds": RowKind(
        "bounds of an order and a network radix",
        BOUNDS,
        (*FAMILY_BOUNDS, "concentration", "endpoints", "router_radix", "load_lower_bound"),
        ("load_lower_bound",),
    ),
    "host_bounds": RowKind(
        "bounds of hosts on routers of so many ports",
        (*fields_of(Rows.BOUNDS_OF_HOSTS), "router_radix"),
        null=("even_order", "even_host_aspl_bound"),
    ),
    "layout_bounds": RowKind(
        "bounds of a layout, a degree and a length limit",
        (*BOUNDS, *FLOOR, *LAYOUT_BOUNDS),
        ("levels", "well_balanced", "recommended", "length_limit_m"),
        ("length_limit",),
    ),
    "preset": RowKind("a preset", PRESET, OF_SOME_PRESETS, MARK),
    "preset_bounds": RowKind(
        "a preset and its bounds",
        (*PRESET, *BOUNDS),
        (*OF_SOME_PRESETS, *LAYOUT_BOUNDS, *FAMILY_BOUNDS),
        MARK,
    ),
    "family": RowKind(
        "a family",
        ("name", "title", "source", "definition", "closed_forms", "example", "examples"),
        null=("example",),
        own={"parameters": says(many(FAMILY_PARAMETER), "what a spec of the family says")},
    ),
    "term": RowKind(
        "a word of the glossary",
        ("term", "heading", "meaning", "source", "spellings"),
        null=("heading", "source"),
    ),
    "sweep": RowKind("a paper's table or figure that can be searched", ("name", "title", "source", "cells")),
    "comparison": RowKind(
        "a paper's table or figure that is compared",
        ("name", "title", "source", "minutes", "networks"),
        null=("minutes",),
        own={"note": says(TEXT, "what there is to say of it")},
    ),
    "compared_value": RowKind(
        "a value that a paper prints or draws, beside ours",
        (
            *("comparison", "label", "spec", "x", "quantity", "published", "ours", "ours_at_least"),
            *("ours_at_most", "equal", "remark"),
        ),
        null=("x", "published", "ours", "ours_at_least", "ours_at_most", "equal", "remark"),
    ),
    "run": RowKind(
        "a run of a study",
        (*RUN, *SEARCHED),
        ("rank", "picture", "host_diameter", "host_aspl"),
        (*SEARCHED, "group", "note"),
    ),
    "compared_run": RowKind(
        "a run beside others",
        (*RUN, *SEARCHED, "best_seconds"),
        tuple(name for name in FIELDS if name not in RUN),
        tuple(FIELDS),
    ),
    "exported_run": RowKind(
        "a document that is written",
        ("command", "status", "seed", "order", "diameter", "aspl", "file"),
        ("run", "group"),
        ("status", "seed", "order", "diameter", "aspl"),
    ),
    "noted_group": RowKind("a group and its note", ("group", "command", "note"), null=("note",)),
    "empty_group": RowKind(
        "a group without runs",
        ("id", "group", "command", "status", "started", "note"),
        tuple(FIELDS),
        tuple(FIELDS),
    ),
    "damaged_run": RowKind("a run that cannot be read", (*RUN, "remark"), SEARCHED, null=(*RUN, *SEARCHED)),
    "shown_group": RowKind(
        "a group of runs with its networks",
        (
            *("id", "command", "version", "status", "started", "note", "parameters"),
            *("seed", "evaluations", "seconds", "spread", "seeds"),
        ),
        null=("note", "seed", "evaluations", "seconds", "spread", "seeds"),
        own={
            "runs": says(many(WHOLE), "its runs"),
            "networks": says(many(one_of_rows("network", "found_cell")), "what they found"),
        },
    ),
    "shown_run": RowKind(
        "a run with its networks",
        (*RUN, *SEARCHED, "links_kept"),
        null=(*SEARCHED, "group", "note"),
        own={"networks": says(many(one_of_rows("network", "found_cell")), "what it found")},
    ),
}
"""By name."""
