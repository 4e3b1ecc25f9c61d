"""The fields of every kind of row."""

from __future__ import annotations

from dataclasses import dataclass, field

from topoctl.measures import MEASURES
from topoctl.measures.routing import ROUTING
from topoctl.report.schema.fields import KINDS
from topoctl.report.schema.kinds import TEXT, WHOLE, Kind, either, many, record, says


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
"""Of every routing."""
LIMITS = ("worst_case_throughput", "best_throughput", "best_minimal_throughput")
"""Of routings of which these are asked for."""
GRAPH = ("order", "size", "network_radix", "diameter", "aspl")
"""Of every network, also such as are too large to measure."""
MEASURED = (
    *("rank", "spec", "family", "parameters", "links", "concentration", "router_radix", "endpoints"),
    *("connected", "distance_sum", "distance_histogram", "sampled", "endpoint_aspl", "network_cost"),
    *("diameter_lower_bound", "aspl_lower_bound", "moore_order", "moore_percent", "aspl_gap"),
    *("meets_bound", *GRAPH),
)
MEASURED_WHERE_ASKED = tuple(name for measure in MEASURES.values() for name in measure.fields)
PLACED = (
    *("layout", "width", "height", "length_limit", "longest_link", "mean_link_length"),
    *("layout_diameter_bound", "layout_aspl_bound", "layout_aspl_gap", "graph_golf_gap_percent"),
)
"""Of networks on a layout."""
OF_SOME = (
    *("components", "largest_component"),  # not connected
    *("aspl_half_width", "sources", "diameter_at_least"),  # sampled
    *("semicircle_cut", "semicircle_topology_ratio", "semicircle_network_ratio"),  # of its family alone
    *("family_diameter_bound", "family_aspl_bound", "family_aspl_gap", *PLACED, "symmetry"),
    *("length_limit_m", "longest_cable_metres"),  # where lengths are limited in metres
    "origin",
    *("wanted_diameter", "pairs_beyond_wanted"),
    *MEASURED_WHERE_ASKED,
    *("latency_lower_bound_ns", "worst_latency_lower_bound_ns"),
    *("seed", "run", "run_rank"),  # of a group
    *("file", "format", "picture"),
)
UNKNOWN = (
    *("spec", "diameter", "aspl", "distance_sum", "distance_histogram", "endpoint_aspl"),
    *("network_cost", "diameter_lower_bound", "aspl_lower_bound", "moore_order", "moore_percent", "aspl_gap"),
    *("family_aspl_gap", "length_limit", "longest_link", "mean_link_length", "layout_diameter_bound"),
    *("layout_aspl_bound", "layout_aspl_gap", "graph_golf_gap_percent"),
    *(*MEASURED_WHERE_ASKED, "run"),
)
"""Of networks without a spec or a limit, that are not connected, are sampled, or have hardly any router."""
DESIGNED = (
    *("cost_dollars", "cost_per_endpoint", "router_dollars", "cable_dollars", "power_watts"),
    *("power_per_endpoint", "cables", "cable_metres", "electrical_cables", "optical_cables", "racks"),
    *("floor_width", "floor_depth", "average_latency_ns", "worst_latency_ns"),
    *("uniform_throughput", "uniform_throughput_paths", "max_link_load"),
)
"""What is measured of every network of a design."""
DESIGNED_SOME = (
    *("bisection_lower_bound", "bisection_proof", "relative_bisection_lower_bound"),
    *ROUTING.fields,
)
"""Where it is compared by that."""
BOUNDS = ("order", "network_radix", "diameter_lower_bound", "aspl_lower_bound", "moore_order")
FAMILY_BOUNDS = ("family_diameter_bound", "family_aspl_bound")
FLOOR = ("layout", "width", "height", "length_limit")
LAYOUT_BOUNDS = (
    *("length_aspl_bound", "layout_diameter_bound", "layout_aspl_bound", "layout_distance_sum_bound"),
    *("mean_length", "longest_length"),
)
PRINTED = (
    *("published_place", "published_diameter", "published_aspl", "published_aspl_lower_bound"),
    *("published_length_aspl_bound", "published_layout_aspl_bound", "published_well_balanced"),
)
"""What a paper may print of a cell."""
BESIDE = ("balance_difference", "well_balanced", "agrees", "remark")
"""Of a cell whose bounds a paper prints."""
MARK = ("published_spec", "published_diameter", "published_distance_sum", "published_aspl")
PRESET = ("order", "network_radix", "name", "title", "source", "command", *MARK)
OF_SOME_PRESETS = ("concentration", "degree", *FLOOR)
RUN = (
    *("id", "run", "command", "parameters", "seed", "version", "host", "status", "started", "updated"),
    *("evaluations", "seconds", "group", "note"),
)
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
        (*UNKNOWN, *DESIGNED, "run_rank", "remark"),
    ),
    "unmeasured_network": RowKind(
        "a network too large to measure",
        ("rank", "spec", *GRAPH),
        ("links", "distance_sum", "file", "format", "picture"),
        ("spec", "diameter", "aspl", "distance_sum", "file"),
    ),
    "cabled_network": RowKind(
        "a network on a floor, and its cables",
        (
            *("spec", "file", "order", "links", "network_radix", "concentration", "endpoints", "stock"),
            *("cables", "electrical_cables", "optical_cables", "cable_metres", "bought_metres"),
            *("longest_cable_metres", "racks", "floor_width", "floor_depth"),
        ),
        null=("spec", "file"),
    ),
    "routed_network": RowKind(
        "a network under a routing and a pattern of traffic",
        (
            *("spec", "file", "order", "links", "network_radix", "concentration", "endpoints"),
            *("routing", "traffic", "throughput", "max_channel_load", "mean_channel_load", "max_hops"),
            *("table_entries", "table_bits", "mean_next_hops"),
            *CHANNELS,
            *LIMITS,
        ),
        null=("spec", "file", "throughput", *CHANNELS, *LIMITS),
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
        (*UNKNOWN, "balance", "relative_bisection", "outcome", "beats_published", "run"),
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
        ("name", "title", "source", "networks"),
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
    "run": RowKind("a run of a study", (*RUN, *SEARCHED), ("rank", "picture"), (*SEARCHED, "group", "note")),
    "compared_run": RowKind(
        "a run beside others",
        (*RUN, *SEARCHED, "best_seconds"),
        tuple(name for name in KINDS if name not in RUN),
        tuple(KINDS),
    ),
    "exported_run": RowKind(
        "a document that is written",
        ("command", "status", "seed", "order", "diameter", "aspl", "file"),
        ("run", "group"),
        ("status", "seed", "order", "diameter", "aspl"),
    ),
    "noted_group": RowKind("a group and its note", ("group", "command", "note"), null=("note",)),
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
