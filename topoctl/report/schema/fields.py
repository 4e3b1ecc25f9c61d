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
SURVIVAL = record(
    {
        "failing": one_of("links", "routers"),
        "criterion": one_of("connected", "diameter", "aspl"),
        **each(PERCENT, "percent least_percent most_percent"),
        "shares": many(NUMBER),
    }
)

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
    **each(NUMBER, "uniform_throughput uniform_throughput_paths uniform_throughput_bound"),
    **each(NUMBER, "routing_throughput best_throughput best_minimal_throughput worst_case_throughput"),
    **each(NUMBER, "max_link_load mean_link_load throughput max_channel_load mean_channel_load"),
    **each(HOPS, "max_hops"),
    **each(TEXT, "routing traffic channel_scheme worst_case_routing"),
    **each(WHOLE, "virtual_channels table_entries table_bits"),
    **each(NUMBER, "mean_next_hops"),
    **each(FLAG, "deadlock_free"),
    "deadlock_cycle": many(many(WHOLE)),
    **each(WHOLE, "bisection_lower_bound bisection_upper_bound bisection_partitions resilience_trials"),
    **each(WHOLE, "bisection_planned_partitions"),
    **each(WHOLE, "edge_connectivity edge_disjoint_pairs shortest_paths_min"),
    **each(NUMBER, "bisection_closed_form bisection_ratio relative_bisection_upper_bound"),
    **each(NUMBER, "edge_disjoint_paths_mean shortest_paths_mean"),
    **each(PERCENT, "link_failures_connected_percent link_failures_diameter_percent"),
    **each(PERCENT, "link_failures_aspl_percent router_failures_connected_percent"),
    **each(PERCENT, "router_failures_diameter_percent router_failures_aspl_percent"),
    **each(NUMBER, "load_lower_bound network_cost balance relative_bisection relative_bisection_lower_bound"),
    **each(NUMBER, "semicircle_topology_ratio semicircle_network_ratio"),
    **each(PERCENT, "moore_percent graph_golf_gap_percent electric_cable_percent"),
    **each(STEPS, "length_limit longest_link longest_length"),
    **each(MEAN_STEPS, "mean_link_length mean_length"),
    **each(NANOSECONDS, "average_latency_ns worst_latency_ns"),
    **each(NANOSECONDS, "latency_lower_bound_ns worst_latency_lower_bound_ns"),
    **each(WATTS, "power_watts power_per_endpoint"),
    **each(WHOLE, "cables electrical_cables optical_cables racks"),
    **each(METRES, "length_limit_m cable_metres bought_metres longest_cable_metres"),
    **each(METRES, "floor_width floor_depth metres"),
    **each(DOLLARS, "cost_dollars cost_per_endpoint router_dollars cable_dollars"),
    "medium": one_of("electrical", "optical"),
    "stock": many(STOCK),
    **each(SECONDS, "seconds best_seconds"),
    **each(FLAG, "connected sampled meets_bound well_balanced recommended agrees equal beats_published"),
    **each(FLAG, "published_well_balanced pareto"),
    **each(TEXT, "name title label command family spec example file format picture cell quantity"),
    **each(TEXT, "published_spec published_place outcome remark term heading meaning source"),
    **each(TEXT, "definition comparison version group note found_by bisection_proof origin"),
    **each(TIME, "started updated"),
    **each(many(TEXT), "spellings closed_forms examples"),
    **each(many(WHOLE), "distance_histogram links_kept shortest_paths_histogram"),
    "resilience": many(SURVIVAL),
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
