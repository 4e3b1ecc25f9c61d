"""The words of what is measured beside distances: latency, power, cost, loads, bisection, failures, paths."""

from __future__ import annotations

from topoctl.report.terms import FLEX, GRID, SLIM_FLY, Term

MEASURED = (
    Term("average_latency_ns", "zero-load latency, mean over pairs of routers, in ns", GRID),
    Term("worst_latency_ns", "zero-load latency of the furthest pair of routers, in ns", GRID),
    Term("latency_lower_bound_ns", "no network on this layout has a lower mean latency, in ns"),
    Term("worst_latency_lower_bound_ns", "no network on this layout has a lower worst latency, in ns"),
    Term("power_watts", "power of all switches, in watts", GRID, "watts of all switches"),
    Term("electric_cable_percent", "cables short enough to be electric, in percent", GRID),
    Term("cables", "number of cables: of links, and of endpoints where these are counted"),
    Term(
        "electrical_cables", "cables that are short enough to be electrical", also=("copper", "--electrical")
    ),
    Term("optical_cables", "cables that are longer than electrical ones may be", also=("fibre", "fiber")),
    Term("cable_metres", "length of all cables together, slack included, in metres"),
    Term(
        "bought_metres",
        "the same where every cable is of a length that is sold, in metres",
        also=("--stock",),
    ),
    Term("longest_cable_metres", "length of the longest cable, in metres"),
    Term("racks", "racks in which routers and endpoints stand"),
    Term("floor_width", "room that the racks take along their rows, in metres", also=("--room",)),
    Term("floor_depth", "room that the racks and the aisles take across their rows, in metres"),
    Term("stock", "cables to buy, by medium and length"),
    Term("metres", "length of a cable that is sold"),
    Term("medium", "what a cable is made of: electrical or optical"),
    Term("cost_dollars", "price of all routers and cables, in dollars", "", "dollars", ("--prices",)),
    Term("router_dollars", "price of all routers, in dollars", "", "price of the routers"),
    Term("cable_dollars", "price of all cables, in dollars", "", "price of the cables"),
    Term("cost_per_endpoint", "price of all routers and cables over the number of endpoints, in dollars"),
    Term("power_per_endpoint", "power of all routers over the number of endpoints, in watts"),
    Term(
        "uniform_throughput",
        "share of the endpoints' bandwidth at which traffic from each to all others alike fills the worst "
        "link; every router spreads over all neighbours that are a hop nearer (ecmp)",
        "",
        "uniform throughput",
        ("theta", "loads"),
    ),
    Term(
        "uniform_throughput_paths",
        "the same where every pair of endpoints spreads over all its shortest paths alike",
        "",
        "spread over shortest paths",
    ),
    Term(
        "uniform_throughput_bound",
        "uniform throughput that no routing passes, because packets take as many hops as the distance",
        "",
        "what no routing passes",
    ),
    Term(
        "routing_throughput",
        "uniform throughput under the best oblivious routing that is known of the network, which `routing` "
        "names",
        "",
        "uniform throughput by the best routing that is known",
        ("routed", "--front"),
    ),
    Term(
        "best_throughput",
        "uniform throughput of the best of all routings, which no other passes: by a linear program; null "
        "where that is too large",
        "",
        "by the best of all routings",
        ("linear program", "optimal", "--best"),
    ),
    Term(
        "best_minimal_throughput",
        "the same of all routings over shortest paths only",
        "",
        "by the best over shortest paths",
    ),
    Term(
        "worst_case_throughput",
        "share of the endpoints' bandwidth that can be sent under any permutation of them: by the routing of "
        "the row, or where that is of no routing the more of ecmp's and of Valiant's; null where there are "
        "too many pairs to find it",
        "Towles & Dally 2002",
        "under the worst permutation",
        ("adversarial", "worst permutation", "--worst-case"),
    ),
    Term(
        "worst_case_routing", "the routing that bears so much of its own worst permutation: ecmp or valiant"
    ),
    Term(
        "max_link_load",
        "load of the worst link in one direction, where endpoints send all they can to all others alike",
    ),
    Term("mean_link_load", "mean load of the links likewise; 1 is a full link"),
    Term("routing", "how packets are routed: the names are those of topoctl route", also=("--routing",)),
    Term("traffic", "which endpoints send to which, and how much", also=("--traffic", "pattern")),
    Term(
        "throughput",
        "share of the endpoints' bandwidth at which this traffic, by this routing, fills the worst link",
        "",
        "share of their bandwidth at which endpoints fill a link",
    ),
    Term(
        "max_channel_load",
        "load of the worst link in one direction, where endpoints send all that they can",
    ),
    Term("mean_channel_load", "mean load of all links in both directions likewise; 1 is a full link"),
    Term("max_hops", "hops of the longest path that packets take"),
    Term("table_entries", "next hops, to all destinations, in the largest table of a router"),
    Term(
        "table_bits",
        "bits of the largest table of a router: for every destination the number of a port or, where there "
        "may be several next hops, a bit for every port",
    ),
    Term("mean_next_hops", "next hops to a destination at a router, in the mean over all of both"),
    Term(
        "virtual_channels",
        "queues that every link has in one direction, so that packets never wait for each other in a circle",
        "Dally & Seitz 1987",
        "virtual channels of a link",
        ("--vcs", "VC"),
    ),
    Term("channel_scheme", "by what packets choose their virtual channel: the names are those of --vcs"),
    Term(
        "deadlock_free",
        "whether it is proven that packets cannot wait for each other in a circle, by numbers of channels "
        "that rise along every path",
        "Dally & Seitz 1987",
        also=("--certificate",),
    ),
    Term(
        "deadlock_cycle",
        "channels whose packets may all wait for the next one's: virtual channel, router, next router",
    ),
    Term(
        "bisection_lower_bound",
        "links between any two halves of the routers, at least: proven",
        "",
        "links between any two halves, proven",
        ("bisection width",),
    ),
    Term(
        "bisection_upper_bound",
        "links between the best two halves of the routers that were found, counted",
        "",
        "the same, of the best halves found",
    ),
    Term("bisection_proof", "what proves the lower bound of the bisection"),
    Term(
        "bisection_partitions",
        "halvings that the best one was found among",
        also=("--partitions", "--partition-seconds", "--partitioner"),
    ),
    Term(
        "bisection_planned_partitions",
        "halvings that were asked for; fewer are made where one is proven the best, or the time is over",
    ),
    Term("bisection_closed_form", "links between two halves by the formula of the family's source"),
    Term("bisection_ratio", "the best halving found over all links between routers", f"{FLEX}, Table 4"),
    Term(
        "relative_bisection_upper_bound",
        "the best halving found over half of the endpoints",
        "",
        "the best halves found over half of the endpoints",
    ),
    Term(
        "link_failures_connected_percent",
        "links in percent whose random failure leaves the network connected in more than half of the trials",
        f"{SLIM_FLY}, III-D",
        "links that may fail",
        ("fault tolerance",),
    ),
    Term(
        "link_failures_diameter_percent",
        "the same until the diameter is more than 2 above that of the whole network",
        f"{SLIM_FLY}, III-D",
    ),
    Term(
        "link_failures_aspl_percent",
        "the same until the ASPL is more than 1 above that of the whole network",
        f"{SLIM_FLY}, III-D",
    ),
    Term(
        "router_failures_connected_percent",
        "routers in percent whose random failure leaves the others connected in more than half of the trials",
        "",
        "routers that may fail",
    ),
    Term(
        "router_failures_diameter_percent",
        "the same until the diameter is more than 2 above that of the whole network",
    ),
    Term(
        "router_failures_aspl_percent",
        "the same until the ASPL is more than 1 above that of the whole network",
    ),
    Term("resilience_trials", "random orders in which links fail, and routers", also=("--trials",)),
    Term("resilience", "what survives random failures, by what fails and by criterion, with 95% intervals"),
    Term(
        "edge_connectivity",
        "links, at least, whose loss disconnects the network",
        "",
        "links whose loss disconnects it, at least",
    ),
    Term(
        "edge_disjoint_paths_mean",
        "most paths between two routers of which no two share a link, mean over pairs",
        "",
        "paths without a common link, mean",
    ),
    Term("edge_disjoint_pairs", "random pairs of routers that these were counted of; null for all"),
    Term("shortest_paths_min", "shortest paths of the pair of routers that has fewest"),
    Term("shortest_paths_mean", "shortest paths of a pair of routers, mean", "", "shortest paths, mean"),
    Term(
        "shortest_paths_histogram",
        "unordered pairs of routers with 1 shortest path, 2 or 3, 4 to 7, and so on",
    ),
)
