"""Networks as points: what is drawn, which none beats, and what the command says."""

import json

import pytest

from commands import call
from topoctl.errors import InvalidParameters
from topoctl.report.plots import Quantities, draw_scatter

pytestmark = pytest.mark.once

ENUMERATE = ["enumerate", "slimfly", "dragonfly", "--order", "..400", "--top", "0"]


def row(family, **numbers):
    return {"family": family, "spec": f"{family}()", **numbers}


def test_a_family_has_a_colour_and_the_axes_the_words_of_the_tables():
    rows = [
        row("a", endpoints=9, router_radix=4),
        row("b", endpoints=12, router_radix=4),
        row("a", endpoints=1),
    ]
    axes = draw_scatter(rows, Quantities("endpoints", "router_radix"), "two").axes[0]
    assert (axes.get_xlabel(), axes.get_ylabel(), axes.get_title()) == ("endpoints", "k", "two")
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
    assert texts == ["a", "Pareto front", "ASPL 5", "ASPL 9"]


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


def test_names_do_not_overlap():
    rows = [row("a", order=n, aspl=1 / n) for n in range(1, 200)]
    axes = draw_scatter(rows, Quantities("aspl", "order")).axes[0]
    assert 1 <= len(axes.texts) <= 8


def test_quantities_that_no_network_has_are_refused():
    with pytest.raises(InvalidParameters, match="no network has order and aspl"):
        draw_scatter([row("a", order=4, aspl=None)], Quantities("order", "aspl"))


@pytest.mark.parametrize(
    ("text", "message"),
    [("order", "expected X,Y or X,Y,SIZE"), ("order,weight", "unknown quantity 'weight'")],
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
    assert "$/endpoint" in path.read_text()


def test_the_command_draws_what_it_prints(tmp_path):
    path = tmp_path / "points.svg"
    result = call(*ENUMERATE, "--plot", "endpoints,k,ASPL", "--picture", path, "--json")
    assert f"wrote {path}" in result.stderr
    text = path.read_text()
    assert f"{len(json.loads(result.stdout)['results'])} networks" in text
    for word in ("endpoints", "slimfly", "dragonfly", "Pareto front"):
        assert word in text


def test_the_command_refuses_half_of_the_options_before_any_work(tmp_path):
    call(*ENUMERATE, "--plot", "endpoints,k", code=2)
    call(*ENUMERATE, "--picture", tmp_path / "a.svg", code=2)
    call(*ENUMERATE, "--plot", "endpoints,k", "--picture", tmp_path / "a.jpg", code=2)
    assert list(tmp_path.iterdir()) == []
