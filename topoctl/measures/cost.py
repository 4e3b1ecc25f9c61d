"""What routers and cables cost on a floor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topoctl.measures.record import Asked, Measure

if TYPE_CHECKING:
    from topoctl.analysis.assessment import Assessment, Numbers
    from topoctl.analysis.chunks import OnProgress
    from topoctl.economics.expenses import Expenses
    from topoctl.topology import Topology


def spent_on(topology: Topology, asked: Asked) -> Expenses:
    """What a network costs and takes, as it is asked for."""
    from topoctl.economics.conventions import conventional_expenses
    from topoctl.economics.expenses import expenses
    from topoctl.economics.prices import DEFAULT_PRICES, prices_named
    from topoctl.floor.floor import DEFAULT_FLOOR, floor_named

    if asked.convention is not None:
        return conventional_expenses(topology, asked.convention)
    floor, prices = asked.floor or floor_named(DEFAULT_FLOOR), asked.prices or prices_named(DEFAULT_PRICES)
    return expenses(topology, floor, prices, asked.seed, asked.threads, asked.planes)


def measure(assessment: Assessment, asked: Asked, progress: OnProgress) -> Numbers:
    """The price of all routers and cables, and what it is made of."""
    found = spent_on(assessment.topology, asked)
    progress(found.cables, found.cables)
    return {
        "cost_dollars": found.cost_dollars,
        "cost_per_endpoint": found.cost_per_endpoint,
        "router_dollars": found.router_dollars,
        "cable_dollars": found.cable_dollars,
        "cables": found.cables,
        "electrical_cables": found.electrical_cables,
        "optical_cables": found.optical_cables,
        "cable_metres": found.cable_metres,
        "racks": found.racks,
        "floor_width": found.floor_width,
        "floor_depth": found.floor_depth,
        "sold_ports": found.sold_ports,
        "free_ports": found.free_ports,
        **_beyond_limit(assessment.topology, asked),
    }


def _beyond_limit(topology: Topology, asked: Asked) -> Numbers:
    """How much the floor breaks the limit in metres that the network was searched with, if it has one."""
    from topoctl.analysis.floor_plan import floor_plan
    from topoctl.cable_limit import CableLimit
    from topoctl.floor.cabling_list import beyond_limit
    from topoctl.floor.floor import DEFAULT_FLOOR, floor_named

    limit = topology.length_limit
    if not isinstance(limit, CableLimit) or asked.convention is not None:
        return {"cables_beyond_limit": None, "metres_beyond_limit": None}
    floor = asked.floor or floor_named(DEFAULT_FLOOR)
    plan = floor_plan(topology, floor, asked.seed, asked.threads, asked.planes)
    return beyond_limit(plan.link_lengths(plan.in_planes(topology.graph.links())), limit)


def needs(topology: Topology, asked: Asked) -> None:
    """A floor, not cabinets alone, with room enough; prices for such routers and cables."""
    from topoctl.errors import InvalidParameters

    if asked.cabinets is not None:
        raise InvalidParameters("cost is that of a floor: expected --floor NAME, not --cabinet")
    needs_floor(topology, asked)


def needs_floor(topology: Topology, asked: Asked) -> None:
    """Require room, prices, and few enough routers without a place to place them in a minute."""
    from topoctl.analysis.effort import refuse_placing_effort

    if not asked.exact:
        refuse_placing_effort(topology)
    spent_on(topology, asked)


COST = Measure(
    name="cost",
    title="the price of routers and cables on a floor",
    columns=("cost_per_endpoint", "cost_dollars", "cable_metres", "racks"),
    others=(
        "router_dollars",
        "cable_dollars",
        "cables",
        "electrical_cables",
        "optical_cables",
        "floor_width",
        "floor_depth",
        "sold_ports",
        "free_ports",
        "cables_beyond_limit",
        "metres_beyond_limit",
    ),
    needs=needs,
    measure=measure,
    counts="cables",
)
