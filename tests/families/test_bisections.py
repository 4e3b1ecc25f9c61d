"""Closed forms of the bisection: cuts of them exist, and none is smaller."""

import numpy as np
import pytest

from commands import document
from oracles import crossing, least_cut
from topoctl.families import FAMILIES, topology_from_spec


def claimed(spec):
    topology = topology_from_spec(spec)
    return topology.graph, FAMILIES[topology.family].claims(topology.parameters).bisection


@pytest.mark.parametrize(
    "spec",
    [
        "hypercube(n=4)",
        "hyperx(dims=4x4)",
        "hyperx(dims=6x2)",
        *(f"hyperx(dims={sizes})" for sizes in ("4x1", "7", "4x3", "5x3", "6x3", "3x3x2", "5x2x2")),
        "flatbutterfly(k=5,n=2)",
        "flatbutterfly(k=3,n=3)",
        "flatbutterfly(k=4,n=3)",
        "flatbutterfly(k=2,n=4)",
        "tct(n=1,k=4)",
        "tct(n=2,k=2)",
        "flex(nx=2,ny=2,nz=3)",
        "flex(nx=2,ny=3,nz=3)",
        "tofu(k=1)",
        "dragonfly(a=2,h=1)",
        "fattree(k=4)",
        "fattree(k=6,levels=2)",
        "fattree(k=2,levels=4)",
        "karytree(k=4,n=2)",
        "karytree(k=2,n=3)",
        "longhop(n=4,hops=1)",
        "longhop(n=4,hops=3)",
        *(f"torus(dims={sizes})" for sizes in ("3", "8", "3x3", "5x3", "4x3", "6x3", "5x2", "7x2", "3x3x2")),
        *(f"mesh(dims={sizes})" for sizes in ("3", "6", "3x3", "5x3", "4x3", "3x2", "7x2", "3x3x2", "4x2x2")),
    ],
)
def test_least_cut(spec):
    graph, bisection = claimed(spec)
    assert bisection == least_cut(graph)


def test_a_side_of_flex_that_cannot_be_halved_has_no_form():
    assert claimed("flex(nx=3,ny=3,nz=3)")[1] is None


@pytest.mark.parametrize(
    "spec",
    [
        "flex(nx=2,ny=6,nz=3)",
        "flex(nx=5,ny=4,nz=3)",
        "flex(nx=6,ny=6,nz=3)",
        "hyperx(dims=10x10)",
        "longhop(n=7,hops=5)",
        "longhop(n=8,hops=4)",
        "tofu(k=3)",
        pytest.param("tofu(k=4)", marks=pytest.mark.thorough),
    ],
)
def test_no_cut_is_below_the_second_eigenvalue(spec):
    """Halves of N routers are joined by N/4 links or more for each unit of the Laplacian's second value."""
    graph, bisection = claimed(spec)
    laplacian = np.diag(graph.degrees.astype(float))
    tails, heads = graph.links().T
    laplacian[tails, heads] = laplacian[heads, tails] = -1
    assert np.linalg.eigvalsh(laplacian)[1] * graph.order / 4 == pytest.approx(float(bisection))


@pytest.mark.parametrize("arrangement", ["palmtree", "consecutive", "circulant"])
@pytest.mark.parametrize("h", [2, 3, 4])
def test_a_dragonfly_is_cut_through_one_group(h, arrangement):
    """Half of group 0 and the groups that it leads to, against the rest."""
    graph, bisection = claimed(f"dragonfly(a={2 * h},h={h},arrangement={arrangement})")
    groups = {int(far) // (2 * h) for router in range(h) for far in graph.neighbors_of(router)} - {0}
    others = [*range(1, h), *(2 * h * group + place for group in groups for place in range(2 * h))]
    assert len(others) == graph.order // 2 - 1
    assert crossing(graph.links(), graph.order, np.array([others])) == bisection


def test_tori_trees_and_dragonflies_have_a_relative_bisection():
    found = document("enumerate", "torus", "fattree", "longhop", "dragonfly", "--balanced", "--order", "..12")
    assert {row["family"] for row in found["results"]} == {"torus", "fattree", "longhop", "dragonfly"}
    shares = {row["spec"]: row["relative_bisection"] for row in found["results"]}
    assert None not in shares.values()
    assert (shares["torus(dims=4x2)"], shares["fattree(k=4,levels=2,p=2)"]) == (1, 1)


def test_an_odd_side_leaves_no_bisection_below_what_is_proven():
    """Halves of 3 x 5 routers are joined by 16 links, where halves of a side of 3 would be by 11.25."""
    asked = ("hyperx", "--order", "15", "--concentration", "2")
    found = document("enumerate", *asked, "--relative-bisection", "0.8..")["results"]
    assert "hyperx(dims=5x3,p=2)" in {row["spec"] for row in found}
    for row in document("evaluate", *(row["spec"] for row in found), "--measures", "bisection")["results"]:
        beta = 2 * row["bisection_closed_form"] / row["endpoints"]
        assert row["bisection_lower_bound"] <= row["bisection_closed_form"] <= row["bisection_upper_bound"]
        assert row["relative_bisection"] == beta
        assert beta in {listed["relative_bisection"] for listed in found if listed["spec"] == row["spec"]}
