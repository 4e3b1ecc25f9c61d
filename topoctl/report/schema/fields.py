"""What the fields of rows are; what they mean is in the glossary."""

from __future__ import annotations

from topoctl.report.schema.kinds import (
    DOLLARS,
    FLAG,
    HOPS,
    MEAN_HOPS,
    MEAN_STEPS,
    METRES,
    NANOSECONDS,
    NUMBER,
    OBJECT,
    PERCENT,
    SECONDS,
    STEPS,
    TEXT,
    TIME,
    WATTS,
    WHOLE,
    Kind,
    each,
    either,
    many,
    one_of,
    record,
)

LEVEL = record(each(WHOLE, "hops by_degree by_length by_both"))
STOCK = record({"medium": one_of("electrical", "optical"), "metres": METRES, "cables": WHOLE})
HOST = record({"cores": WHOLE, **each(TEXT, "processor system python kernel")})

KINDS: dict[str, Kind] = {
    **each(
        WHOLE, "rank run run_rank size links order network_radix router_radix concentration endpoints degree"
    ),
    **each(WHOLE, "width height symmetry seed evaluations sources components largest_component"),
    **each(WHOLE, "moore_order pairs_beyond_wanted semicircle_cut by_degree by_length by_both"),
    **each(WHOLE, "networks cells"),
    **each(
        HOPS, "hops diameter diameter_at_least wanted_diameter diameter_lower_bound family_diameter_bound"
    ),
    **each(HOPS, "layout_diameter_bound published_diameter distance_sum layout_distance_sum_bound"),
    **each(HOPS, "published_distance_sum"),
    **each(MEAN_HOPS, "aspl endpoint_aspl aspl_half_width aspl_gap family_aspl_gap layout_aspl_gap"),
    **each(MEAN_HOPS, "aspl_lower_bound family_aspl_bound length_aspl_bound layout_aspl_bound"),
    **each(MEAN_HOPS, "published_aspl published_aspl_lower_bound published_length_aspl_bound"),
    **each(MEAN_HOPS, "published_layout_aspl_bound balance_difference"),
    **each(NUMBER, "load_lower_bound network_cost balance relative_bisection"),
    **each(NUMBER, "semicircle_topology_ratio semicircle_network_ratio"),
    **each(PERCENT, "moore_percent graph_golf_gap_percent electric_cable_percent"),
    **each(STEPS, "length_limit longest_link longest_length"),
    **each(MEAN_STEPS, "mean_link_length mean_length"),
    **each(NANOSECONDS, "average_latency_ns worst_latency_ns"),
    **each(NANOSECONDS, "latency_lower_bound_ns worst_latency_lower_bound_ns"),
    **each(WATTS, "power_watts power_per_endpoint"),
    **each(WHOLE, "cables electrical_cables optical_cables racks"),
    **each(METRES, "cable_metres bought_metres longest_cable_metres floor_width floor_depth metres"),
    **each(DOLLARS, "cost_dollars cost_per_endpoint router_dollars cable_dollars"),
    "medium": one_of("electrical", "optical"),
    "stock": many(STOCK),
    **each(SECONDS, "seconds best_seconds"),
    **each(FLAG, "connected sampled meets_bound well_balanced recommended agrees equal beats_published"),
    **each(FLAG, "published_well_balanced"),
    **each(TEXT, "name title label command family spec example file format picture cell quantity"),
    **each(TEXT, "published_spec published_place outcome remark term heading meaning source"),
    **each(TEXT, "definition comparison version group note"),
    **each(TIME, "started updated"),
    **each(many(TEXT), "spellings closed_forms examples"),
    **each(many(WHOLE), "distance_histogram links_kept"),
    **each(either("integer", "number", "string"), "published ours"),
    **each(NUMBER, "x ours_at_least ours_at_most"),
    "id": either("integer", "string"),
    "seeds": many(OBJECT),
    "spread": OBJECT,
    "layout": one_of("grid", "diagrid"),
    "status": one_of("running", "interrupted", "killed", "finished", "damaged"),
    "levels": many(LEVEL),
    "host": HOST,
    "parameters": OBJECT,
}
"""By field."""
