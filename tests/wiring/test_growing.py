"""Plans of work: followed cable by cable by a slow machine room that knows nothing of how they are made."""

import csv

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import call
from topoctl.analysis.floor_plan import floor_plan
from topoctl.economics.prices import prices_asked
from topoctl.errors import InvalidParameters
from topoctl.families import topology_from_spec
from topoctl.floor.cabling_list import STOCK, cabling_list
from topoctl.floor.floor import floor_named
from topoctl.floor.placement import Placement
from topoctl.floor.plan import plan_floor
from topoctl.graph import Graph
from topoctl.options.cable import CableRequest
from topoctl.runs.cables import floor_asked
from topoctl.wiring.growing import HEADER, work_plan

pytestmark = pytest.mark.once
MEDIA = prices_asked(None, None, None).media


def work_on_a_floor(standing, grown, endpoints, *batch):
    """The plan of work, each router in a rack of its own."""
    floor = floor_named("racks42").changed(units=90)
    racks = plan_floor(Placement.in_a_square(np.arange(len(endpoints)), len(endpoints)), endpoints, floor)
    return work_plan(standing, grown, endpoints, racks, MEDIA, *batch)


def all_reached(links):
    """Whether the routers that have a link reach each other."""
    routers = {router for link in links for router in link}
    reached, waiting = set(), [min(routers)]
    while waiting:
        router = waiting.pop()
        if router not in reached:
            reached.add(router)
            waiting += [sum(link) - router for link in links if router in link]
    return reached == routers


def followed(standing, grown, endpoints, plan):
    """Do the work of a plan, and hold every step to what may be done; the cables in the end, by number."""
    degrees, room = standing.degrees, {}
    for number, (tail, head) in enumerate(standing.links().tolist(), 1):
        ports = [
            sorted(standing.neighbors_of(a).tolist()).index(b) + 1 for a, b in ((tail, head), (head, tail))
        ]
        room[number] = {(tail, ports[0]), (head, ports[1])}
    taken = {end for ends in room.values() for end in ends}
    taken |= {(r, degrees[r] + 1 + e) for r in range(standing.order) for e in range(endpoints[r])}
    links = {frozenset(link) for link in standing.links().tolist()}
    after = [{frozenset(link) for link in network.links().tolist()} for network in grown]
    orders = [network.order for network in grown]
    for number in range(1, plan.batches + 1):
        actions = [one for one in plan.actions if one.batch == number]
        assert actions
        for one in actions:
            ends, link = (
                {(one.tail, one.tail_port), (one.head, one.head_port)},
                frozenset((one.tail, one.head)),
            )
            step = orders.index(one.routers)
            if one.action == "unplug":
                assert room.pop(one.cable) == ends
                assert link not in after[step]
                links.remove(link)
                taken -= ends
            else:
                assert one.cable not in room
                assert not ends & taken
                assert link in after[step] - links
                room[one.cable] = ends
                links.add(link)
                taken |= ends
        assert all_reached([tuple(link) for link in links]), f"not connected after batch {number}"
    assert links == after[-1]
    assert [*orders] == sorted({*orders, *(one.routers for one in plan.actions)})
    for router in range(len(endpoints)):
        stands = degrees[router] if router < standing.order else 0
        used = [port for where, port in taken if where == router and port > stands + endpoints[router]]
        spare = max(0, max(network.degrees[router] for network in grown if router < network.order) - stands)
        assert len(used) <= spare  # routers have no more ports than they need
    return room


@st.composite
def growths(draw):
    """A connected network, larger ones that share some links with it, and endpoints."""
    order = draw(st.integers(2, 9))
    networks, links = [], {(router, draw(st.integers(0, router - 1))) for router in range(1, order)}
    for _ in range(draw(st.integers(2, 3))):
        more = draw(st.sets(st.tuples(*[st.integers(0, order - 1)] * 2), max_size=10))
        links |= {(max(pair), min(pair)) for pair in more if pair[0] != pair[1]}
        networks.append(Graph.from_links(order, sorted(links)))
        links = {link for link in links if draw(st.booleans())}
        order += draw(st.integers(1, 4))
        for router in range(1, order):  # connected again, whatever went
            links.add((router, draw(st.integers(0, router - 1))))
    endpoints = [draw(st.integers(0, 2)) for _ in range(networks[-1].order)]
    return networks, np.array(endpoints, dtype=np.int32), draw(st.integers(2, 9))


@given(growths())
def test_all_is_connected_after_every_batch_and_no_port_is_used_twice(case):
    (standing, *grown), endpoints, batch = case
    plan = work_on_a_floor(standing, grown, endpoints, batch)
    room = followed(standing, grown, endpoints.tolist(), plan)
    cables = {frozenset(ends) for ends in room.values()}
    between = [row for row in plan.wiring.cables.tolist() if plan.wiring.is_router[row[2]]]
    assert {frozenset([(tail, port), (head, other)]) for tail, port, head, other in between} == cables
    ports = [(row[at], row[at + 1]) for row in plan.wiring.cables.tolist() for at in (0, 2)]
    assert len({*ports}) == len(ports)
    networks = [*plan.networks()]
    assert len(networks) == plan.batches + 1
    assert all(
        len(graph.component_sizes()) == 1 and len(routers) == graph.order for graph, routers in networks
    )


@pytest.mark.parametrize("batch", [2, 7, 50])
def test_a_batch_has_no_more_cables_than_asked_for(batch):
    standing, larger = (topology_from_spec(spec) for spec in ("torus(dims=4x4)", "torus(dims=6x4)"))
    plan = work_on_a_floor(standing.graph, [larger.graph], larger.endpoints_per_router, batch)
    followed(standing.graph, [larger.graph], larger.endpoints_per_router.tolist(), plan)
    sizes = [sum(one.batch == number for one in plan.actions) for number in range(1, plan.batches + 1)]
    assert max(sizes) <= batch
    assert plan.batches <= -(-2 * len(plan.actions) // batch) + 1


def test_ports_are_those_of_the_list_of_cables(tmp_path):
    standing, larger = (topology_from_spec(spec) for spec in ("torus(dims=4x3,p=2)", "torus(dims=5x3,p=2)"))
    plan = work_on_a_floor(standing.graph, [larger.graph], larger.endpoints_per_router, 8)
    request = CableRequest(endpoint_cables=True)
    floor = floor_plan(standing, floor_asked(request), 1, 1)
    listed = cabling_list(standing.graph, floor, STOCK, MEDIA, endpoints=True).to_records()
    ends = {row["cable"]: (row["from"], row["from_port"], row["to"], row["to_port"]) for row in listed}
    for one in plan.rows():
        if one[2] == "unplug":
            assert ends[one[3]] == tuple(one[place] for place in (4, 7, 8, 11))
    names, systems = plan.wiring.names, plan.wiring.cables.tolist()
    wired = {(names[tail], port, names[head], other) for tail, port, head, other in systems}
    moved = {row[3] for row in plan.rows() if row[2] == "unplug"}
    assert {end for number, end in ends.items() if number not in moved} <= wired
    plan.write(tmp_path / "plan.csv")
    rows = [*csv.reader((tmp_path / "plan.csv").read_text().splitlines())]
    assert rows == [[*HEADER], *([str(value) for value in row] for row in plan.rows())]


def test_networks_that_do_not_fit_are_refused():
    ring, parts = Graph.from_links(3, [(0, 1), (1, 2), (0, 2)]), Graph.from_links(4, [(0, 1), (2, 3)])
    none = np.zeros(4, dtype=np.int32)
    for arguments, reason in (
        ((ring, [parts], none), "4 routers is not connected"),
        ((ring, [Graph.from_links(2, [(0, 1)])], none[:2]), "expected as many in each network as before"),
        ((ring, [ring], none[:3], 1), "batches of 1: expected 2 cables or more"),
    ):
        with pytest.raises(InvalidParameters, match=reason):
            work_on_a_floor(*arguments)


def test_new_cables_have_numbers_that_no_cable_of_the_list_has(folder):
    """That of ``cable --endpoints``, whose cables to endpoints come after the links."""
    call("cable", "torus(dims=4x4,p=2)", "--endpoints", "-o", "cables.csv", "-q")
    words = "--routers 4 --recable 4 --moves 20 --no-afresh --no-study -o plan.csv -q"
    call("grow", "torus(dims=4x4,p=2)", *words.split())
    listed, work = (
        [*csv.DictReader((folder / name).read_text().splitlines())] for name in ("cables.csv", "plan.csv")
    )
    links = {row["cable"] for row in listed if row["to"].startswith("router")}
    unplugged = {row["cable"] for row in work if row["action"] == "unplug"}
    assert unplugged <= links
    assert not ({row["cable"] for row in work} - unplugged) & {row["cable"] for row in listed}
