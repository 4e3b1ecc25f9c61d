"""The papers' tables and figures: ours equal what is printed, or a remark says why not."""

import json
from decimal import Decimal

import pytest

from commands import call, document
from properties import THOROUGH, rest_thorough
from topoctl.definitions import parse
from topoctl.errors import FormatError, InvalidParameters
from topoctl.families import topology_from_spec
from topoctl.papers.comparisons import (
    Comparison,
    asked_for,
    compared_values,
    comparison,
    comparisons,
    resolved,
)
from topoctl.papers.placed_networks import AnnealedGrid, TorusPlanes
from topoctl.papers.quantities import SIMULATED, Ours, Subject
from topoctl.report.comparisons import compared_row, draw_comparison
from topoctl.routing import routing_named

FEW_ROUTERS, MANY_ROUTERS, MOST_ROUTERS = (700, 50_000, 10**9) if THOROUGH else (200, 3_000, 30_000)
"""What is failed, cut or placed in a test is no larger; what is measured; what has distances to be known."""

FIGURES = ["slimfly_figure5b", "flex_figure16", "equality_figure2"]
FAILED_OR_CUT = (
    *("link_failures_connected_percent", "faults_tolerated"),
    *("best_cut", "best_cut_ratio", "network_ratio"),
)
FAR = ("diameter", "ports_per_endpoint", "longest_sub_shortest_path")
PLACED = ("electrical_cables", "optical_cables", "cost_per_endpoint", "cost_dollars", "power_per_endpoint")


def subject_of(known, spec, planes=1):
    return Subject(resolved(spec), known.conditions, planes=planes)


def is_long(subject, quantity):
    """Whether a quantity takes longer than a test may."""
    cut = quantity in ("bisection", "bisection_bandwidth") and subject.claims.bisection is None
    few = (
        cut or quantity in FAILED_OR_CUT or (quantity in PLACED and subject.family.name in ("dln", "longhop"))
    )
    if quantity in SIMULATED:
        return True
    many = MANY_ROUTERS if quantity == "aspl" else MOST_ROUTERS if quantity in FAR else 10**9
    return subject.claims.order > (FEW_ROUTERS if few else many)


NETWORKS = [
    pytest.param(known, network, id=f"{name}-{network.label}-{network.spec}")
    for name, known in comparisons().items()
    for network in known.networks
    if isinstance(network.spec, str)
]


@pytest.mark.once
@pytest.mark.parametrize(("known", "network"), NETWORKS)
def test_equal_or_remarked(known, network):
    subject = subject_of(known, network.spec, network.planes)
    assert {*network.remarks} <= {*network.published}
    told = {quantity for quantity in network.published if not is_long(subject, quantity)}
    differing = {q for q in told if not subject.ours(q).agrees(network.published[q])}
    assert network.remark or differing <= {*network.remarks}
    if network.remark and told == {*network.published}:
        assert differing - {*network.remarks}


def test_every_network_is_one_and_every_quantity_is_known():
    for known in comparisons().values():
        specs = [spec for _, spec, *_ in asked_for(known) if isinstance(spec, str)]
        assert all(subject_of(known, spec).claims.order > 1 for spec in specs)
    with pytest.raises(InvalidParameters, match="quantity 'diametre' is unknown; did you mean diameter"):
        Subject("tofu(k=3)").ours("diametre")


def test_closed_forms_of_the_tables_are_those_of_the_built_networks():
    for name in ("flex_table6", "slimfly_balanced"):
        for network in comparison(name).networks:
            topology = topology_from_spec(network.spec)
            built = (topology.graph.order, topology.graph.size, topology.endpoints, topology.router_radix)
            quantities = ("order", "size", "endpoints", "router_radix")
            subject = Subject(network.spec)
            assert built == tuple(subject.ours(quantity).value for quantity in quantities)


def test_a_printed_value_is_ours_rounded_or_cut():
    assert Ours(2.6999).agrees(Decimal("2.7"))
    assert Ours(2.7999).agrees(Decimal("2.7"))
    assert not Ours(2.8).agrees(Decimal("2.7"))
    assert Ours(9600).agrees(Decimal("9e3"))
    assert not Ours(10000).agrees(Decimal("9e3"))
    assert Ours(60, 55, 65).agrees(Decimal(55))
    assert not Ours(60, 60, 65).agrees(Decimal(55))


def test_a_torus_in_planes_is_a_torus_in_cabinets_of_its_own():
    planes = Subject(TorusPlanes(dims=(4, 3, 6), across=2))
    torus = Subject("torus(dims=4x3x6)")
    assert planes.assessment.distances == torus.assessment.distances
    layout = planes.topology.layout
    assert (layout.width, layout.height) == (8, 9)
    lengths = layout.lengths(planes.topology.graph.links())
    # Rings of 4 and of 3 in every plane; rings of planes: a step aside, and every other time one back too.
    rings = 18 * (1 + 1 + 1 + 3) + 24 * (1 + 1 + 2)
    assert lengths.sum() == rings + 12 * (3 * 4 + 2 * (4 + 3) + (4 + 6))


def test_a_grid_is_annealed_alike_on_any_threads():
    small = AnnealedGrid(layout="grid", width=4, height=4, degree=3, length_limit=2, moves=500)
    latencies = [Subject(small, None, threads).ours("worst_latency_ns") for threads in (1, 2)]
    assert latencies[0] == latencies[1]
    assert small.spec == "grid 4x4, K 3, L 2"


def test_misprints_stay_as_printed():
    """FleX, Table 6: the Slim Fly of 972 endpoints has p = 6 and k' = 13."""
    rows = document("presets", "compare", "flex_table6")["results"]
    (row,) = (row for row in rows if row["label"] == "Slim Fly" and row["quantity"] == "router_radix")
    assert (row["published"], row["ours"], row["equal"]) == (20, 13 + 6, False)
    assert "misprint" in row["remark"]
    assert {row["label"] for row in rows if row["equal"] is False} == {"Slim Fly", "Fat tree"}


@pytest.mark.once
def test_flex_saturates_before_hyperx_by_its_algorithm_not_by_its_links():
    """Fig. 8a: 0.87 by Algorithm 1, though its shortest paths bear more than those of HyperX."""
    network, hyperx = Subject("flex(nx=6,ny=6,nz=3,p=10)"), Subject("hyperx(dims=10x10,p=10)")
    by_algorithm, by_links = (network.ours(f"throughput_{name}").value for name in ("flex", "ecmp"))
    assert by_algorithm < hyperx.ours("throughput_ecmp").value < by_links
    with pytest.raises(InvalidParameters, match="expected flex"):
        hyperx.ours("throughput_flex")


def test_tables_are_listed_and_found():
    names = [row["name"] for row in document("presets", "compare")["results"]]
    assert names == sorted(comparisons())
    assert "Theorem 2" in call("presets", "compare", "TCT_Table2").stdout
    refusal = call("presets", "compare", "flex_table", code=2).stderr
    assert "did you mean flex_table6?" in refusal
    refusal = call("presets", "compare", "foo", code=2).stderr
    assert "topoctl presets compare lists them" in refusal
    assert len(refusal) < 160


@pytest.mark.parametrize("name", rest_thorough(FIGURES, FIGURES[1:]))
def test_figures_are_drawn_of_their_values(name, tmp_path):
    picture = tmp_path / "figure.svg"
    printed = json.loads(call("presets", "compare", name, "--picture", str(picture), "--json").stdout)
    labels = {row["label"] for row in printed["results"] if row["ours"] is not None}
    assert labels == {label for label, *_ in asked_for(comparison(name))}
    assert "</svg>" in picture.read_text()
    bars = comparison(name).picture.kind == "bars"
    assert all((row["x"] is None) == bars for row in printed["results"])


def test_shares_of_moores_bound_are_beside_the_papers():
    """FleX, III-A."""
    rows = document("presets", "compare", "flex_figure3")["results"]
    shares = {row["label"]: row for row in rows if row["quantity"] == "moore_percent"}
    assert all(row["equal"] for row in shares.values())
    assert pytest.approx(shares["FleX"]["ours"]) == 100 * 2028 / 10001


@pytest.mark.parametrize(
    ("words", "refusal"),
    [
        (("flex_table6", "--picture", "a.png"), "flex_table6 is a table, which has no picture"),
        (("--picture", "a.png"), "--picture draws one figure, not 0"),
        (("flex_figure1", "flex_figure3", "--picture", "a.png"), "--picture draws one figure, not 2"),
        (("flex_figure1", "--picture", "a.gif"), "expected a name that ends in .svg, .png or .pdf"),
    ],
)
def test_what_cannot_be_drawn_is_refused_before_any_work(words, refusal):
    assert refusal in call("presets", "compare", *words, code=2).stderr


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "networks, curves"),
        ('[[curves]]\nlabel = "a"\nspecs = ["torus(dims=4x4)"]', "quantities: expected one at least"),
        (
            '[picture]\nkind = "bars"\nx = "order"\ny_label = "b"',
            "x: expected for curves",
        ),
        (
            "[conditions.simulation]\nbufer = 4\n"
            '[[networks]]\nlabel = "a"\nspec = "b"\npublished = {order = 1}',
            "did you mean buffer",
        ),
        ("[conditions]\nlink_bandwidth = 0", "conditions.link_bandwidth"),
        ('[[networks]]\nlabel = "a"\nspec = "b"\npublished = {order = "many"}', "published.order"),
    ],
)
def test_files_are_validated(text, fault):
    head = 'title = "a"\nsource = "b"\nnote = "c"\n'
    with pytest.raises(FormatError, match=fault):
        parse("comparison", "a", head + text, Comparison)


@pytest.mark.once
def test_shortest_paths_of_slim_flies_attain_what_no_routing_passes():
    [attained, bound, _] = comparison("slimfly_throughput").curves
    assert attained.specs == bound.specs
    for spec in attained.specs:
        subject = Subject(spec)
        assert subject.ours("uniform_throughput").value == pytest.approx(subject.ours("crossing_bound").value)


SIMULATED_FIGURE = """
title = "a"
source = "b"
note = "c"
quantities = ["latency", "accepted_load", "saturation_load"]

[picture]
kind = "loads"
x = "offered_load"
y_label = "latency"

[conditions.simulation]
cycles = 1000
class_width = 1
load = "0.3,0.9,1"

[[networks]]
label = "MIN"
spec = "torus(dims=4x4,p=1)"
published = { saturation_load = 0.9 }

[[curves]]
label = "UGAL"
specs = ["torus(dims=4x4,p=1)"]
simulation = { routing = "ugal-g", load = "0.3" }
"""


def test_simulated_values_are_those_of_simulations():
    figure = parse("comparison", "a", SIMULATED_FIGURE, Comparison)
    rows = [compared_row(value) for value in compared_values(figure, threads=1)]
    few = ("--cycles", "1000", "--class-width", "1", "--load", "0.3,0.9,1")
    points = document("simulate", "torus(dims=4x4,p=1)", *few)["results"]
    found = {(row["label"], row["quantity"], row["x"]): row["ours"] for row in rows}
    for point in points:
        load = point["offered_load"]
        assert found["MIN", "accepted_load", load] == point["accepted_load"]
        assert found["MIN", "latency", load] == (None if point["saturated"] else point["latency"])
    assert {load for label, quantity, load in found if (label, quantity) == ("UGAL", "latency")} == {0.3}
    [saturation] = [row for row in rows if row["published"] is not None]
    carried = [point["offered_load"] for point in points if not point["saturated"]]
    assert saturation["ours"] == saturation["ours_at_least"] == max(carried)
    assert saturation["ours_at_most"] == 1
    assert len(draw_comparison(figure, rows).axes[0].containers) == 2


def test_what_is_simulated_of_papers_can_be():
    for known in comparisons().values():
        for one in asked_for(known):
            if not {*one.quantities} & {*SIMULATED}:
                continue
            subject = Subject(resolved(one.known), known.conditions, None, one.simulation)
            if subject.claims.order <= FEW_ROUTERS:
                routing_named(subject.request.routing).needs(subject.topology)
