"""Networks as points: what is drawn, which none beats, and what the command says."""

import json
from itertools import combinations
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands import call
from properties import rest_thorough
from topoctl.errors import InvalidParameters
from topoctl.report.plots import Quantities, draw_scatter

pytestmark = pytest.mark.once

ASPL = "Average shortest path length (ASPL)"
ENUMERATE = ["enumerate", "slimfly", "dragonfly", "--order", "..20", "--top", "0"]


def row(family, **numbers):
    return {"family": family, "spec": f"{family}()", **numbers}


def test_a_family_has_a_colour_and_the_axes_are_in_words():
    rows = [
        row("a", endpoints=9, router_radix=4),
        row("b", endpoints=12, router_radix=4),
        row("a", endpoints=1),
    ]
    axes = draw_scatter(rows, Quantities("endpoints", "router_radix"), "two").axes[0]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("Endpoints", "Ports per router k")
    assert axes.get_title() == "two"
    turned = draw_scatter(rows, Quantities("router_radix", "endpoints")).axes[0]
    assert turned.get_title() == "Endpoints by ports per router k: 2 networks"
    assert [len(points.get_offsets()) for points in axes.collections] == [1, 1]
    (front,) = axes.lines
    assert front.get_xydata().tolist() == [[12, 4]], "more endpoints are better"


def test_sizes_of_points_follow_a_third_quantity():
    rows = [row("a", order=n, diameter=2, aspl=float(n)) for n in (5, 7, 9)]
    figure = draw_scatter(rows, Quantities("order", "diameter", "aspl"))
    small, middle, large = figure.axes[0].collections[0].get_sizes()
    assert middle > small
    assert middle - small == pytest.approx(large - middle)
    texts = [text.get_text() for text in figure.legends[0].get_texts()]
    assert texts == ["a", "Pareto front", f"{ASPL} 5", f"{ASPL} 9"]


def test_the_front_of_a_document_is_outlined_and_its_best_are_joined():
    rows = [row("a", order=n, aspl=y, pareto=n > 5) for n, y in ((5, 9.0), (6, 2.0), (7, 1.0), (8, 1.5))]
    axes = draw_scatter(rows, Quantities("aspl", "order")).axes[0]
    assert axes.collections[0].get_linewidths() == [0, 1, 1, 1]
    assert axes.lines[0].get_xydata().tolist() == [[1, 7], [1.5, 8]]


def test_a_curve_of_a_family_joins_what_none_of_it_beats():
    points = [("a", 1, 1.0), ("a", 2, 3.0), ("a", 3, 2.0), ("b", 9, 9.0), ("b", 500, 9.5)]
    rows = [row(family, endpoints=x, aspl=y) for family, x, y in points]
    axes = draw_scatter(rows, Quantities("endpoints", "aspl"), curves=True).axes[0]
    lines = [line.get_xydata().tolist() for line in axes.lines]
    assert lines == [[[1, 1], [3, 2]], [[9, 9], [500, 9.5]]]
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "linear")


def named(rows, *quantities, **options):
    """The names in a picture, and whether none covers another or is cut by the edge."""
    axes = draw_scatter(rows, Quantities(*quantities), **options).axes[0]
    axes.figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in axes.texts]
    pairs = combinations([box.shrunk(0.98, 0.9) for box in boxes], 2)  # what is drawn is rounded to pixels
    inside = all(axes.figure.bbox.fully_containsx(edge) for box in boxes for edge in (box.x0, box.x1))
    clear = inside and not any(one.fully_overlaps(other) for one, other in pairs)
    return [text.get_text() for text in axes.texts], clear


@given(st.lists(st.tuples(st.integers(1, 30), st.integers(1, 30)), min_size=1, max_size=12), st.booleans())
@settings(max_examples=4)
def test_a_few_points_are_all_named_and_no_name_covers_another(points, curves):
    rows = [row("a", order=x, diameter=y) | {"spec": f"torus(n={n})"} for n, (x, y) in enumerate(points)]
    names, clear = named(rows, "order", "diameter", curves=curves)
    assert names == [one["spec"] for one in rows]
    assert clear


def test_of_many_points_some_are_named_where_there_is_room():
    names, clear = named([row("a", order=n, aspl=1 / n) for n in range(1, 200)], "aspl", "order")
    assert 1 <= len(names) <= 8
    assert clear


def test_quantities_that_no_network_has_are_refused():
    with pytest.raises(InvalidParameters, match="no network has order and aspl"):
        draw_scatter([row("a", order=4, aspl=None)], Quantities("order", "aspl"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("order", "expected X,Y or X,Y,SIZE"),
        ("order,weight", "unknown quantity 'weight'; expected one such as .*: topoctl glossary lists them"),
    ],
)
def test_wrong_quantities_are_refused(text, message):
    with pytest.raises(InvalidParameters, match=message):
        Quantities.parse(text, ("order", "aspl"))


def test_quantities_have_the_words_of_a_front():
    known = ("cost_per_endpoint", "average_latency_ns", "uniform_throughput", "order")
    found = Quantities.parse("cost,latency,theta", known)
    assert found == Quantities("cost_per_endpoint", "average_latency_ns", "uniform_throughput")


def test_cost_is_money_wherever_networks_are_drawn(tmp_path):
    path = tmp_path / "points.svg"
    options = ["--measures", "cost,loads", "--plot", "cost,θ", "--picture", path]
    call("evaluate", "slimfly(q=5,p=4)", "torus(dims=4x4,p=1)", *options)
    assert "Cost per endpoint, $" in path.read_text()


def test_the_command_draws_what_it_prints(tmp_path):
    path = tmp_path / "points.svg"
    result = call(*ENUMERATE, "--plot", "endpoints,k,ASPL", "--picture", path, "--json")
    assert f"wrote {path}" in result.stderr
    text = path.read_text()
    assert f"{len(json.loads(result.stdout)['results'])} networks" in text
    for word in ("Endpoints", ASPL, "slimfly", "dragonfly", "Pareto front"):
        assert word in text
    call(*ENUMERATE, "--plot", "endpoints,k", "--picture", path, "--title", "Two families", "-q")
    assert "Two families" in path.read_text()


def test_a_title_and_a_name_are_drawn_as_they_are(folder):
    (folder / "$a^{$\x1b.edges").write_text("0 1\n1 2\n2 0\n")
    words = [
        "$a^{$\x1b.edges",
        "torus(dims=3x3)",
        "--plot",
        "order,diameter",
        "--title",
        "$\\frac$ <of>\x07 it",
    ]
    call("evaluate", *words, "--picture", "a.svg", "-q")
    ElementTree.parse(folder / "a.svg")
    said = (folder / "a.svg").read_text()
    assert r"$\frac$ &lt;of&gt;\x07 it" in said
    assert r"$a^{$\x1b.edges" in said


def test_the_command_refuses_half_of_the_options_before_any_work(tmp_path):
    call(*ENUMERATE, "--plot", "endpoints,k", code=2)
    call(*ENUMERATE, "--picture", tmp_path / "a.svg", code=2)
    call(*ENUMERATE, "--plot", "endpoints,k", "--picture", tmp_path / "a.jpg", code=2)
    assert "--title goes with" in call(*ENUMERATE, "--title", "Of nothing", code=2).stderr
    assert list(tmp_path.iterdir()) == []


def test_quantities_that_were_not_measured_are_told_with_their_measures():
    wanted = Quantities("cost_per_endpoint", "average_latency_ns")
    with pytest.raises(InvalidParameters, match=r"as with --measures cost,latency$"):
        draw_scatter([{"family": "a", "spec": "a(1)"}], wanted)


@pytest.mark.parametrize("letters", rest_thorough([8, 60], [60]))
def test_a_title_keeps_clear_of_the_legend_and_of_the_edge(letters):
    rows = [row(f"{name:-<{letters}}", order=n, aspl=2.0 + n) for n, name in enumerate("abcdefgh", start=5)]
    figure = draw_scatter(rows, Quantities("order", "aspl"), "What is compared with what and by whom " * 4)
    figure.draw_without_rendering()
    title = figure.axes[0].title.get_window_extent()
    assert title.x0 >= 0
    assert title.x1 < figure.legends[0].get_window_extent().x0
