"""One network as a row of results: the fields of the contract, floats unrounded."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from topoctl.analysis.bounds import distance_sum_lower_bound, moore_percent
from topoctl.analysis.distances import Disconnected, Distances
from topoctl.analysis.endpoints import endpoint_aspl, endpoint_hops
from topoctl.analysis.sampling import SampledDistances
from topoctl.report.bound_rows import bound_fields, family_bound_fields
from topoctl.report.document import Row
from topoctl.report.layouts import layout_fields
from topoctl.topology import Topology

if TYPE_CHECKING:  # an evaluation may need no family
    from topoctl.economics.cabinet_measures import CabinetMeasures
    from topoctl.search.certify import Certified
    from topoctl.search.enumeration.ranking import MeasuredInstance


def network_row(
    rank: int,
    topology: Topology,
    distances: Distances | SampledDistances | Disconnected,
    file: str | None = None,
    *,
    threads: int | None,
) -> Row:
    """A measured network.

    Args:
        rank: counted from 1.
        topology: the network.
        distances: of its graph, exact or sampled.
        file: where its graph was read from or written to.
        threads: to measure between endpoints with; None for every core.
    """
    graph = topology.graph
    row: Row = {
        "rank": rank,
        "spec": topology.spec,
        "family": topology.family,
        "parameters": dict(topology.parameters),
        "order": graph.order,
        "size": graph.size,
        "network_radix": graph.network_radix,
        "concentration": topology.concentration,
        "router_radix": topology.router_radix,
        "endpoints": topology.endpoints,
    }
    row |= distance_fields(distances)
    row |= endpoint_fields(topology, distances, threads)
    row |= bound_fields(graph.order, graph.network_radix)
    row["moore_percent"] = None
    if row["diameter"] is not None:
        row["moore_percent"] = moore_percent(graph.order, graph.network_radix, row["diameter"])
    row["aspl_gap"] = None if row["aspl"] is None else row["aspl"] - row["aspl_lower_bound"]
    if topology.family == "equality" and topology.spec is not None:
        row |= equality_fields(topology.spec, topology.concentration, row["aspl"])
    row["meets_bound"] = row["distance_sum"] is not None and meets_moore(
        graph.order, graph.network_radix, row
    )
    row |= layout_fields(topology, distances)
    if file is not None:
        row["file"] = file
    return row


def meets_moore(order: int, network_radix: int, row: Row) -> bool:
    """Whether no graph of this order and network radix has shorter paths."""
    if row["aspl_lower_bound"] is None:
        return False
    return bool(row["distance_sum"] == distance_sum_lower_bound(order, network_radix))


def distance_fields(distances: Distances | SampledDistances | Disconnected) -> Row:
    """What was measured; None for what the measurement does not tell, and for the ASPL of a single router."""
    fields: Row = {
        "connected": not isinstance(distances, Disconnected),
        "diameter": None,
        "aspl": None,
        "distance_sum": None,
        "sampled": isinstance(distances, SampledDistances),
    }
    if isinstance(distances, Distances):
        fields["diameter"] = distances.diameter
        fields["aspl"] = distances.aspl if distances.order > 1 else None
        fields["distance_sum"] = distances.distance_sum
    if isinstance(distances, Disconnected):
        fields["components"] = distances.components
        fields["largest_component"] = distances.largest_component
    if isinstance(distances, SampledDistances):
        fields["aspl"] = distances.aspl
        fields["aspl_half_width"] = distances.half_width
        fields["sources"] = distances.sources
        fields["diameter_at_least"] = distances.diameter_lower_bound
    return fields


def endpoint_fields(
    topology: Topology, distances: Distances | SampledDistances | Disconnected, threads: int | None
) -> Row:
    """Average hops between endpoints, and degree times diameter; None without exact distances.

    The pairs are those of distinct endpoints, and two endpoints of one router are 0 hops apart. The network
    cost is the average degree times the diameter (Bossard 2023, 2.1).
    """
    if not isinstance(distances, Distances):
        return {"endpoint_aspl": None, "network_cost": None}
    graph = topology.graph
    return {
        "endpoint_aspl": endpoint_aspl(endpoint_hops(topology, distances, threads), topology.endpoints),
        "network_cost": 2 * graph.size * distances.diameter / graph.order,
    }


def cabinet_fields(found: CabinetMeasures) -> Row:
    """What a network takes in its cabinets; None for latencies where it is not connected."""
    latency, least = found.latency, found.least_latency
    fields: Row = {
        "average_latency_ns": None if isinstance(latency, Disconnected) else latency.average_ns,
        "worst_latency_ns": None if isinstance(latency, Disconnected) else latency.worst_ns,
        "power_watts": found.power.watts,
        "electric_cable_percent": found.power.electric_percent,
    }
    if least is not None:
        fields["latency_lower_bound_ns"] = least.average_ns
        fields["worst_latency_lower_bound_ns"] = least.worst_ns
    return fields


def instance_row(rank: int, instance: MeasuredInstance, threads: int | None) -> Row:
    """A network that an enumeration found."""
    row = network_row(rank, instance.topology, instance.distances, threads=threads)
    for name in ("balance", "relative_bisection"):
        value = instance.known.get(name)
        row[name] = None if value is None or value == math.inf else float(value)
    return row


def equality_fields(spec: str, concentration: int, aspl: float | None) -> Row:
    """What is known of an Equality network beyond its distances.

    The semicircle cut is an upper bound of the bisection, no more; B_r and b_r are the paper's ratios of it.
    """
    from topoctl.families.equality.notation import parse_equality
    from topoctl.families.equality.semicircle import semicircle_cut

    network = parse_equality(spec)
    if network is None:
        return {}
    cut = semicircle_cut(replace(network, concentration=concentration))
    fields: Row = {
        "semicircle_cut": cut.links,
        "semicircle_topology_ratio": cut.topology_ratio,
        "semicircle_network_ratio": cut.network_ratio,
    }
    fields |= family_bound_fields(network.order, network.network_radix)
    fields["family_aspl_gap"] = None if aspl is None else aspl - fields["family_aspl_bound"]
    return fields


def wanted_fields(distances: Distances, diameter: int) -> Row:
    """How many unordered pairs of routers are further apart than a diameter that was wanted.

    Example:
        >>> from topoctl.analysis.distances import measure
        >>> from topoctl.families import topology_from_spec
        >>> wanted_fields(measure(topology_from_spec("torus(dims=5)").graph), 1)
        {'wanted_diameter': 1, 'pairs_beyond_wanted': 5}
    """
    return {"wanted_diameter": diameter, "pairs_beyond_wanted": sum(distances.histogram[diameter:])}


def certified_rows(leaders: list[Certified], threads: int | None, wanted: int | None = None) -> list[Row]:
    """The networks that a search found, best first, beside the diameter that was wanted, if one was."""
    rows = []
    for rank, leader in enumerate(leaders, 1):
        row = network_row(rank, leader.topology, leader.distances, threads=threads)
        if wanted is not None:
            row |= wanted_fields(leader.distances, wanted)
        if leader.cabinet_measures is not None:
            row |= cabinet_fields(leader.cabinet_measures)
        rows.append(row)
    return rows
