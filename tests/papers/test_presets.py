"""Presets of every kind: what they are for, how options override them, and the marks that they bring."""

import pytest

from commands import call, document
from oracles import table
from other_graphs import measured_rows, other_file
from topoctl.errors import FormatError, InvalidParameters
from topoctl.papers.presets import all_presets, parse, preset, preset_of

pytestmark = pytest.mark.usefixtures("folder")


def test_names_are_distinct_without_their_folders():
    names = [known.name.partition("/")[2] for known in all_presets()]
    assert len(set(names)) == len(names)


def test_a_published_network_without_a_spec_or_an_aspl():
    paper = preset("10x10-k4-l3")
    assert (paper.published.spec, paper.published.distance_sum, paper.published_aspl) == (None, None, 3.443)
    assert preset("30x30-k6-l6").published_aspl is None
    assert preset("grid/72x64-k6-l6").published is None
    assert preset("n72-k4").published_aspl == pytest.approx(2.9859154930)


@pytest.mark.parametrize(
    ("name", "diameter", "aspl"),
    [
        ("graph/n100-k10", 3, 2.077),
        ("graph/n256-k5", 5, 3.548),
        ("graph/n256-k10", 4, 2.598),
        ("grid/5x10-k4-l2", 7, 3.10694),
    ],
)
def test_marks_are_the_best_that_were_known(name, diameter, aspl):
    known = document("presets", "show", name)["results"][0]
    assert (known["published_diameter"], round(known["published_aspl"], 5)) == (diameter, aspl)


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("grid/x", '[search]\nlayout = "hexagon"', "search.layout"),
        ("grid/x", "[search]\nconcentration = 3", "search.concentration"),
        ("graph/x", "[search]\nwidth = 3", "search.width"),
        ("graph/x", "[published]\ndiameter = 0", "published.diameter"),
        ("equality/x", "[published]\ndiameter = 3", "published.spec"),
    ],
)
def test_every_kind_is_validated(name, text, fault):
    with pytest.raises(FormatError, match=fault):
        parse(name, text)


def test_a_preset_is_for_its_own_command():
    with pytest.raises(InvalidParameters, match="topoctl optimize graph --preset n256-k5"):
        preset("n256-k5", "optimize grid")
    assert "search equality --preset" in call("optimize", "grid", "--preset", "e361", code=2).stderr


SMALL = ("--moves", "2000", "--no-study")


def test_a_search_carries_the_mark_of_its_instance():
    found = document("optimize", "grid", "--preset", "4x4-k3-l2", *SMALL)
    assert (found["parameters"]["width"], found["parameters"]["length_limit"]) == (4, 2)
    assert found["published"] | {"aspl": None} == {
        **{"preset": "grid/4x4-k3-l2", "spec": None, "diameter": 3, "distance_sum": 264, "aspl": None},
    }
    size = ("--width", "4", "--height", "4", "--k", "3", "--l", "2")
    assert document("optimize", "grid", *size, *SMALL)["published"] == found["published"]
    other = document("optimize", "grid", "--preset", "4x4-k3-l2", "--l", "3", *SMALL)
    assert other["published"] is None
    assert other["parameters"]["length_limit"] == 3
    general = document("optimize", "graph", "--preset", "n24-k3", *SMALL)
    assert general["published"]["distance_sum"] == 708
    text = call("optimize", "grid", "--preset", "4x4-k3-l2", *SMALL).stdout
    assert "published (grid/4x4-k3-l2): D 3, ASPL 2.20000; found: D" in text


def test_bare_commands_take_their_instance_from_a_preset():
    result = call("optimize", "grid", *SMALL)
    assert "preset grid/10x10-k4-l3" in result.stderr
    assert "published (grid/10x10-k4-l3): D 6, ASPL 3.44300" in result.stdout
    assert "preset grid/diagrid-7x14-k4-l3" in call("optimize", "grid", "--layout", "diagrid", *SMALL).stderr


def test_no_mark_where_nothing_is_published():
    values = {"layout": "grid", "width": 9, "height": 8, "degree": 4, "length_limit": 4}
    assert preset("9x8-k4-l4").matches(values)
    assert preset_of("optimize grid", values) is None


def test_presets_are_listed_and_shown():
    (row,) = document("presets", "show", "10x10-k4-l3")["results"]
    assert (row["layout"], row["order"], row["degree"], row["length_limit"]) == ("grid", 100, 4, 3)
    assert (row["published_diameter"], row["published_aspl"], row["published_spec"]) == (6, 3.443, None)
    assert "diagrid-48x96-k6-l6" in call("presets", "list").stdout


def test_known_graphs_are_as_they_were_measured():
    """The table beside the known graphs: order, degree, diameter and sum of distances of each."""
    other_file("MEASURED.tsv")
    lines = [list(row.values()) for row in measured_rows()]
    measured = {
        (int(order), int(degree.rpartition(".")[2]), int(diameter), int(distance_sum))
        for _, order, _, degree, _, diameter, distance_sum, *_ in lines
    }
    for known in all_presets():
        if known.source.startswith("Graph Golf") and known.published.distance_sum:
            score = (known.published.diameter, known.published.distance_sum)
            assert (known.order, known.network_radix, *score) in measured


def test_presets_are_validated_all_errors_at_once():
    with pytest.raises(FormatError) as failure:
        parse("equality/wrong", 'title = "x"\n[search]\norder = 7\nnetwork_radix = "many"\nextra = 1')
    for fault in ("source", "search.order", "search.network_radix", "search.concentration", "search.extra"):
        assert fault in str(failure.value)


def test_presets_hold_the_published_scores():
    known = [one for one in all_presets() if one.published and one.published.spec]
    small = [one for one in known if one.order <= 5000]
    assert len(small) >= 7
    for one in small:
        (row,) = document("evaluate", one.published.spec)["results"]
        assert (row["diameter"], row["distance_sum"]) == (
            one.published.diameter,
            one.published.distance_sum,
        )
        assert row["network_radix"] == one.network_radix


def test_presets_agree_with_the_recomputed_table():
    printed = {row["id"].lower(): row for row in table("equality_table3.tsv")}
    compared = 0
    for one in all_presets():
        row = printed.get(one.name.partition("/")[2])
        if row:
            assert one.published.spec == row["spec"]
            assert one.published.diameter == int(row["diameter"])
            assert round(one.published_aspl, 6) == float(row["aspl"])
            assert one.search.concentration == int(row["p"])
            compared += 1
    assert compared >= 20
