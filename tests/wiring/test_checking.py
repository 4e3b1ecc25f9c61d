"""What differs from a plan: the fewest ends to move, and every file that tells what is wired."""

import json
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import topoctl
from properties import few
from topoctl.errors import FormatError, InvalidParameters
from topoctl.families import topology_from_spec
from topoctl.floor.cabling_list import HEADER
from topoctl.topology import Names
from topoctl.wiring.checking import check_wiring
from topoctl.wiring.found import read_wiring
from topoctl.wiring.names import filled
from topoctl.wiring.wiring import Wiring

SPECS = ("torus(dims=3x3,p=1)", "dragonfly(p=1,a=3,h=1)", "slimfly(q=4,p=1)")
NAMES = {"router": "S{n}", "endpoint": "H{n}", "port": "{n}", "endpoint_port": "{n}"}


def plan_of(spec):
    topology = topology_from_spec(spec)
    return Wiring.planned(topology, filled(topology.names, topology, **NAMES))


@st.composite
def miswired(draw):
    """A plan, and the same with a few ends of cables put elsewhere, and a few cables missing."""
    plan = plan_of(draw(st.sampled_from(SPECS)))
    cables = plan.cables[plan.is_router[plan.cables[:, 2]]].copy()
    plan = Wiring(plan.names, plan.is_router, cables)
    wrong = cables.copy()
    places = draw(st.lists(st.integers(0, 2 * len(cables) - 1), unique=True, max_size=4))
    ends = wrong.reshape(-1, 2)
    ends[places] = ends[draw(st.permutations(places))] if places else ends[places]
    kept = draw(st.sampled_from([len(wrong), len(wrong) - 1]))
    order = draw(st.permutations(range(len(wrong))))
    return plan, Wiring(plan.names, plan.is_router, wrong[list(order)[:kept]]), len(places)


def fewest(plan, found):
    """The fewest ends to move, by trying which wrong cable is which planned one."""
    ends = [[frozenset([(a, b), (c, d)]) for a, b, c, d in one.cables.tolist()] for one in (plan, found)]
    planned, wired = ([one for one in ours if one not in theirs] for ours, theirs in (ends, ends[::-1]))
    rest = [frozenset()] * (len(planned) - len(wired))
    costs = [
        sum(2 - len(one & other) if other else 0 for one, other in zip(planned, chosen, strict=True))
        for chosen in permutations([*wired, *rest])
    ]
    return min(costs)


@few(3)
@given(miswired())
def test_the_fewest_ends_are_moved_and_never_more_than_were_made_wrong(made):
    plan, found, wrong = made
    check = check_wiring(plan, found)
    assert check.summary["moved_ends"] == fewest(plan, found) <= wrong
    assert check.summary["missing"] == len(plan.cables) - len(found.cables)
    assert check.summary["equal"] == (not check.differences) == plan.same_as(found)
    assert check.network.order == plan.is_router.sum()


def test_a_swap_is_told_as_one_and_an_end_by_where_it_goes():
    plan = plan_of("torus(dims=3x3,p=1)")
    wrong = plan.cables.copy()
    wrong[[2, 9], 2:] = wrong[[9, 2], 2:]
    [one] = check_wiring(plan, Wiring(plan.names, plan.is_router, wrong)).differences
    assert (one.kind, one.cable, one.moved) == ("exchanged ends", 3, 2)
    assert one.action.startswith("exchange the ends of cables 3 and 10 at S")
    moved = plan.cables.copy()
    moved[2, 3] = 7
    [one] = check_wiring(plan, Wiring(plan.names, plan.is_router, moved)).differences
    assert (one.kind, one.action.split(" from ")[1]) == ("wrong port", "S3 port 7 to S3 port 1")


def test_systems_that_are_missing_or_in_no_plan_are_named():
    plan = plan_of("torus(dims=3x3,p=1)")
    names = tuple("other" if name == "S4" else name for name in plan.names)
    found = check_wiring(plan, Wiring(names, plan.is_router, plan.cables))
    kinds = {one.kind: one for one in found.differences}
    assert kinds["missing system"].planned == ("S4", None)
    assert kinds["extra system"].found == "other"
    assert found.summary["moved_ends"] == 5
    others = Wiring(tuple(f"x{n}" for n in range(len(names))), plan.is_router, plan.cables)
    with pytest.raises(InvalidParameters, match="no system that was found has a name of the plan"):
        check_wiring(plan, others, match="names")
    assert check_wiring(plan, others).summary["matched_by"] == "structure"
    assert check_wiring(plan, others).summary["equal"]


def test_names_may_differ_by_case_domain_and_further_words():
    plan = plan_of("torus(dims=3x3,p=1)")
    said = tuple(f"{name.lower()}.room" if name[0] == "S" else f"{name} mlx5_0" for name in plan.names)
    assert check_wiring(plan, Wiring(said, plan.is_router, plan.cables)).summary["equal"]


def test_ports_and_endpoints_that_nobody_tells_are_not_compared():
    plan = plan_of("torus(dims=3x3,p=1)")
    links = plan.cables[plan.is_router[plan.cables[:, 2]]].copy()
    links[:, [1, 3]] = 0
    found = check_wiring(plan, Wiring(plan.names[:9], plan.is_router[:9], links))
    assert found.summary["equal"]
    assert [note.split(":")[0] for note in found.notes] == [
        "9 endpoints of the plan are left out",
        "ports are not compared",
    ]


def written(wiring, names):
    """A list of cables."""
    rows = [(names[a], port, names[b], other) for a, port, b, other in wiring.cables.tolist()]
    return "\n".join(["from,from_port,to,to_port", *(",".join(map(str, row)) for row in rows)])


def subnet(wiring):
    """The same as OpenSM writes it: every link from both of its ends."""

    def end(system, port):
        kind, guid = "SW" if wiring.is_router[system] else "CA", f"{0x8F10400 + system:016x}"
        guids = f"SystemGUID:{guid} NodeGUID:{guid} PortGUID:{guid}"
        what = f"{{{wiring.names[system]}}} LID:{system + 1:04X} PN:{port:02X}"
        return (
            f"{{ {kind}{'-SM' * (not system)} Ports:24 {guids} VenID:0002C9 DevID:0003 Rev:000000A1 {what} }}"
        )

    return "".join(
        f"{end(*one)} {end(*other)} PHY=4x LOG=ACT SPD=25\n"
        for a, port, b, far in wiring.cables.tolist()
        for one, other in (((a, port), (b, far)), ((b, far), (a, port)))
    )


def heard(wiring):
    """What routers hear of each other, in other letters and with a domain."""
    rows = ["Local Device,Local Port,Remote Device,Remote Port ID,Platform"]
    for a, port, b, far in wiring.cables.tolist():
        for name, own, other, its in ((a, port, b, far), (b, far, a, port)):
            if wiring.is_router[name]:
                rows.append(f"{wiring.names[name]},swp{own},{wiring.names[other].lower()}.room,swp{its},x")
    return "\n".join(rows)


def test_every_file_that_tells_cables_is_read(tmp_path):
    network = topoctl.named("torus(dims=3x3,p=1)", "S{n},endpoint=H{n}")
    for target in ("topo", "netbox"):
        topoctl.cable(network, target=target, cables=tmp_path / target)
    topoctl.cable(network, target="p2p", cables=tmp_path / "sheet.csv")
    topoctl.cable(network, target="ptm", cables=tmp_path / "topology.dot")
    topoctl.cable(network, endpoints=True, cables=tmp_path / "cables.csv")
    topoctl.write(network, tmp_path / "found.ibsim")
    for name in ("found.npz", "found.graphml", "found.edges"):
        topoctl.write(network, tmp_path / name)
    plan = Wiring.planned(network, filled(network.names, network, **NAMES))
    (tmp_path / "subnet.lst").write_text(subnet(plan))
    (tmp_path / "lldp.csv").write_text(heard(plan))
    for path in tmp_path.iterdir():
        assert topoctl.check(network, path).summary["equal"], path
        if path.suffix in ("", ".csv", ".dot"):
            assert topoctl.check(path, tmp_path / "topo").summary["equal"], path
    assert HEADER[1] == "from"


def test_planes_are_told_by_structure_and_which_is_which_by_names_alone(tmp_path):
    network = topology_from_spec("slimfly(q=3,p=2)")
    plan = topoctl.cable(network, planes=3, endpoints=True, cables=tmp_path / "plan.csv")
    rows = (tmp_path / "plan.csv").read_text().replace("router ", "u").replace("endpoint ", "n").splitlines()
    cells = [row.split(",") for row in rows]
    cells[5][5], cells[5 + len(plan.links) // 3][5] = cells[5 + len(plan.links) // 3][5], cells[5][5]
    (tmp_path / "found.csv").write_text("\n".join(map(",".join, cells)))
    for check in (
        topoctl.check(tmp_path / "plan.csv", tmp_path / "found.csv"),
        topoctl.check(network, tmp_path / "found.csv", planes=3),
    ):
        assert (check.summary["matched_by"], check.summary["moved_ends"]) == ("structure", 2)
        assert check.notes == ("ports of endpoints are not compared: names alone tell which plane is which",)
    for wrong in ({"planes": 0}, {"planes": "2"}, {"planes": 2}):
        with pytest.raises(InvalidParameters, match=r"planes is .*expected"):
            topoctl.check(tmp_path / "plan.csv", tmp_path / "plan.csv", **wrong)


def test_systems_of_ibnetdiscover_are_called_as_they_describe_themselves(tmp_path):
    path = tmp_path / "found.txt"
    path.write_text(
        "# Topology file\nvendid=0x8f1\nswitchguid=0x8f10500(8f10500)\n"
        'Switch\t24 "S-0008f10500"\t\t# "left" enhanced port 0 lid 6 lmc 0\n'
        '[19]\t"S-0008f10501"[20]\t\t# "right" lid 2 4xDDR\n[1]\t"H-00025"[1](25)\t# "n1 HCA-1" lid 3\n\n'
        'Switch\t24 "S-0008f10501"\t\t# "right" base port 0\n[20]\t"S-0008f10500"[19]\t# "left"\n\n'
        'Ca\t2 "H-00025"\t\t# "n1 HCA-1"\n[1](25)\t"S-0008f10500"[1]\t# lid 3\n'
    )
    found = read_wiring(path)
    assert found.names == ("left", "right", "n1 HCA-1")
    assert sorted(found.cables.tolist()) == [[0, 1, 2, 1], [0, 19, 1, 20]]
    mapped = path.read_text().replace('[1](25)\t# "n1 HCA-1"', '[1](25)\t# "node1"')  # by --node-name-map
    path.write_text(mapped)
    assert read_wiring(path).names == ("left", "right", "node1")


def test_subnet_lst_tells_hexadecimal_ports_rates_and_guids(tmp_path):
    path = tmp_path / "subnet.lst"
    plan = plan_of("torus(dims=3x3,p=1)")
    cables = plan.cables.copy()
    cables[0, 1] = 18
    path.write_text("# found\n" + subnet(Wiring(plan.names, plan.is_router, cables)))
    found = read_wiring(path)
    assert found.same_as(Wiring(plan.names, plan.is_router, cables))
    assert set(found.rates) == {("4x", "25")}
    assert found.identifiers[0] == "0000000008f10400"
    path.write_text(subnet(Wiring(tuple("same" for _ in plan.names), plan.is_router, plan.cables)))
    assert read_wiring(path).names[1] == "0000000008f10401"


def test_no_first_line_is_an_error_of_csv(tmp_path):
    path = tmp_path / "wired.txt"
    for first in (b"a\rb", b"from\rfrom_port,to", b'"a', b"\0,a", b'"' * 20_000, b"," * 300_000):
        path.write_bytes(first + b"\n0 1\n")
        assert "tells no cables" in refused(path)


def test_a_network_as_found_has_numbers_and_no_ports(tmp_path):
    path = tmp_path / "found.txt"
    path.write_text("# seen\n0 1\n1 2\n2 0\n")
    found = read_wiring(path)
    assert found.names == ("router 0", "router 1", "router 2")
    assert found.cables.tolist() == [[0, 0, 1, 0], [0, 0, 2, 0], [1, 0, 2, 0]]
    path.write_text("0 1\n1 100000\n")
    assert read_wiring(path).names == ("router 0", "router 1", "router 100000")
    many = topology_from_spec("torus(dims=3,p=400000)")
    topoctl.write(many, tmp_path / "many.graphml")
    assert "1,200,000 endpoints, expected at most" in refused(tmp_path / "many.graphml")


def test_neighbours_are_read_from_both_ends_of_a_cable(tmp_path):
    def neighbours(*seen):
        interfaces = [
            {
                "name": port,
                "chassis": [{"name": [{"value": other}]}],
                "port": [{"id": [{"type": "ifname", "value": far}]}],
            }
            for port, other, far in seen
        ]
        return json.dumps({"lldp": [{"interface": interfaces}]})

    (tmp_path / "a.json").write_text(neighbours(("swp1", "b", "swp3"), ("swp2", "h", "eth0")))
    (tmp_path / "b.json").write_text(neighbours(("swp3", "a", "swp1")))
    found = read_wiring(tmp_path)
    assert found.names == ("a", "b", "h")
    assert found.is_router.tolist() == [True, True, False]
    assert found.cables.tolist() == [[0, 1, 1, 3], [0, 2, 2, 0]]


def test_neighbours_that_shorten_names_of_ports_tell_one_cable(tmp_path):
    path = tmp_path / "lldp.csv"
    path.write_text(
        "Host,LOCAL_INTERFACE,NEIGHBOR_NAME,NEIGHBOR_INTERFACE,CAPABILITIES\n"
        "a,Eth1/1,b.room,Ethernet1/2,B\na,Eth1/2,,,\nb,Eth1/2,A,Ethernet1/1,B\na,Eth1/3,nas,eth0,\n"
    )
    found = read_wiring(path)
    assert found.names == ("a", "b", "nas")
    assert found.is_router.tolist() == [True, True, False]
    assert found.port_names == (("Eth1/1", "Eth1/2"), ("Eth1/3", "eth0"))


def refused(path):
    """Why a file is refused; None where it is read."""
    try:
        read_wiring(path)
    except FormatError as error:
        return str(error)
    return None


TEXTS = {
    "cables.csv": "from,from_port,to,to_port\na,1,b,2\nb,1,c,2\n",
    "found.txt": 'Switch 2 "a" # "x"\n[1] "b"[2]\n\nSwitch 2 "b"\n[2] "a"[1]\n',
    "plan.topo": "SW2 a\n\tP1 -4x-25G-> SW2 b P2\n",
    "topology.dot": 'graph G {\n"a":"swp1" -- "b":"swp2"\n}\n',
    "subnet.lst": subnet(plan_of("torus(dims=3,p=1)")),
    "lldp.csv": heard(plan_of("torus(dims=3,p=1)")),
    "links.txt": "0 1\n1 2\n2 3\n",
    "a.json": '{"lldp": [{"interface": [{"name": "swp1", "chassis": [{"name": [{"value": "b"}]}], '
    '"port": [{"id": [{"type": "ifname", "value": "swp2"}]}]}]}]}',
}


@pytest.mark.parametrize("name", TEXTS)
@few(2)
@given(data=st.data())
def test_damaged_files_are_read_or_refused_in_a_line(name, data, tmp_path_factory):
    text = TEXTS[name].encode()
    for _ in range(data.draw(st.integers(0, 3))):
        place, length = data.draw(st.integers(0, len(text))), data.draw(st.integers(0, 4))
        put = data.draw(
            st.sampled_from([b"", b"[", b'"', b"{}", b"\n", b",", b"99999999999", b"\xff", b"a", b"\r"])
        )
        text = text[:place] + put + text[place + length :]
    folder = tmp_path_factory.mktemp("wired")
    (folder / name).write_bytes(text)
    said = refused(folder if name.endswith(".json") else folder / name)
    assert said is None or "\n" not in said


def test_ports_are_told_by_their_names():
    topology = topology_from_spec("torus(dims=3,p=1)")
    ports = tuple(f"swp{n}" for n in range(1, 4))
    plan = Wiring.planned(topology, Names(tuple("abc"), tuple("xyz"), ports, ("eth0",)))
    wrong = plan.cables.copy()
    wrong[[0, 3], 1] = wrong[[3, 0], 1]
    found = check_wiring(plan, Wiring(plan.names, plan.is_router, wrong), ports)
    [one] = found.differences
    assert one.action == "exchange the ends of cables 1 and 4 at a port swp3 and a port swp1"


def test_ports_are_called_as_the_plan_calls_them(tmp_path):
    plan, found = tmp_path / "plan.csv", tmp_path / "found.csv"
    plan.write_text("from,from_port,to,to_port\na,swp1,b,swp1\na,swp2,c,swp1\nb,swp2,c,swp2\n")
    found.write_text("from,from_port,to,to_port\na,1/1,b,1/1\na,1/2,c,1/9\nb,1/2,c,1/2\n")
    [one] = topoctl.check(plan, found).differences
    assert one.action == "move the end of cable 2 from c port swp9 to c port swp1"


@pytest.mark.parametrize("ports", [("swp1s0", "swp1s1", "swp2s0"), ("Eth1/1", "Eth2/1", "Eth3/1")])
def test_ports_whose_last_numbers_are_the_same_are_told_apart_by_their_names(tmp_path, ports):
    plan, found = tmp_path / "plan.csv", tmp_path / "found.csv"
    p, q, r = ports
    plan.write_text(f"from,from_port,to,to_port\na,{p},b,{p}\na,{q},c,{p}\nb,{q},c,{q}\n")
    found.write_text(f"from,from_port,to,to_port\na,{p},b,{p}\na,{q},c,{r}\nb,{q},c,{q}\n")
    [one] = topoctl.check(plan, found).differences
    assert one.action == f"move the end of cable 2 from c port {r} to c port {p}"
    found.write_text(found.read_text().replace("Eth", "Ethernet"))
    assert topoctl.check(plan, found).differences[0].action.endswith(f"to c port {p}")
    found.write_text(f"from,from_port,to,to_port\na,x{p},b,x{p}\na,x{q},c,x{p}\nb,x{q},c,x{q}\n")
    made = topoctl.check(plan, found)
    assert made.summary["equal"]
    assert made.notes[0].startswith("ports are not compared: ")
