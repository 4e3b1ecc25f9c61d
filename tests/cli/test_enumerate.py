"""``topoctl enumerate``: documents, messages, exit codes."""

import csv

import pytest

from commands import call, check_row, document
from properties import THOROUGH
from schemas import check_document
from topoctl.families import FAMILIES
from topoctl.options import options_of
from topoctl.options.enumerate import QUANTITIES, EnumerationRequest
from topoctl.report.progress import ProgressDisplay
from topoctl.runs import enumerations
from topoctl.search.enumeration import ranking


def test_a_row_holds_the_contract_and_the_scores_of_an_enumeration():
    found = document("enumerate", "slimfly", "--balanced", "--endpoints", "..20000", "--sort", "order")
    assert (found["fitting"], found["printed"], found["evaluations"]) == (12, 12, 12)
    assert (found["undecided"], found["skipped"], found["status"]) == (0, [], "finished")
    assert [row["parameters"]["q"] for row in found["results"]] == [3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 23]
    assert [row["rank"] for row in found["results"]] == list(range(1, 13))
    for row in found["results"]:
        check_row(row)
        assert row["balance"] == 1
        assert row["endpoints"] <= 20000
        pairs = row["order"] * (row["order"] - 1) * row["concentration"] ** 2
        assert row["endpoint_aspl"] == pytest.approx(
            row["aspl"] * pairs / (row["endpoints"] * (row["endpoints"] - 1)), rel=1e-12
        )


def test_what_is_not_printed_is_said():
    result = call("enumerate", "all", "--endpoints", "60..64", "--router-radix", "..9", "--top", "3")
    assert "3 printed" in result.stderr
    assert "--top 0 prints all" in result.stderr
    assert "skipped: equality" in result.stderr
    assert "skipped: jellyfish, xpander, dln: random networks" in result.stderr
    assert len(result.stdout.splitlines()) == 4
    found = document("enumerate", "all", "--endpoints", "60..64", "--router-radix", "..9", "--top", "3")
    skipped = {one["family"] for one in found["skipped"]}
    assert skipped == {"equality", "cayley", "jellyfish", "xpander", "dln"}
    assert found["fitting"] > found["printed"] == 3


SMALL = ("enumerate", "all", "--endpoints", "60..64", "--router-radix", "..9", "--diameter", "..4")


def of_families(rows):
    """The rows of each family, in their order."""
    found = {}
    for row in rows:
        found.setdefault(row["family"], []).append(row["spec"])
    return found


@pytest.mark.parametrize("sort", ["diameter,aspl", "-relative_bisection,aspl"])
@pytest.mark.parametrize("each", [1, 2])
def test_the_best_of_each_family_are_those_of_the_whole_list(each, sort):
    whole = document(*SMALL, "--top", "0", "--sort", sort)
    found = document(*SMALL, "--top", "0", "--sort", sort, "--each", each)
    check_document(found)
    families = of_families(whole["results"])
    assert len(families) > 5
    first = {spec for own in families.values() for spec in own[:each]}
    kept = [row["spec"] for row in whole["results"] if row["spec"] in first]
    assert [row["spec"] for row in found["results"]] == kept
    assert [row["rank"] for row in found["results"]] == [*range(1, len(kept) + 1)]
    assert found["printed"] + found["beyond_each"] + found["undecided"] >= whole["fitting"]
    assert found["beyond_each"] == found["fitting"] - found["printed"] > 0
    assert whole["beyond_each"] == 0
    assert found["evaluations"] <= whole["evaluations"]


def test_top_counts_the_best_of_each_family_and_both_say_what_they_leave_out():
    whole = document(*SMALL, "--top", "0", "--each", "1")
    top = document(*SMALL, "--top", "3", "--each", "1")
    assert [row["spec"] for row in top["results"]] == [row["spec"] for row in whole["results"]][:3]
    result = call(*SMALL, "--top", "3", "--each", "1")
    left = f"left out by --each 1: {top['beyond_each']:,}, which rank lower in their families"
    assert left in result.stdout.splitlines()
    assert "--top 0 prints up to 1 of every family" in result.stderr
    assert "--top 0" not in call(*SMALL, "--top", "0", "--each", "1").stderr.splitlines()[0]
    assert "--each" not in call(*SMALL, "--top", "3").stdout
    assert "--each 0: expected 1 or more" in call(*SMALL, "--each", "0", code=2).stderr


def test_quiet_says_nothing_and_output_holds_all(folder):
    arguments = ["enumerate", "torus", "--order", "16", "--concentration", "1", "-q", "--output", "found.csv"]
    assert call(*arguments).stderr == ""
    with (folder / "found.csv").open() as lines:
        rows = list(csv.DictReader(lines))
    assert {row["spec"] for row in rows} == {f"torus(dims={sizes})" for sizes in ("16", "8x2", "4x4")}


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["slimfly"], 2, "slimfly: the window lets q grow without end"),
        (["flex", "--router-radix", "..48"], 2, "flex: the window lets nz grow without end"),
        (["slimfyl", "--order", "..9"], 2, "family 'slimfyl' is unknown; did you mean slimfly?"),
        (["slimfly", "--order", "51..97"], 3, "no network with order 51..97"),
        (["slimfly", "--order", "x"], 2, "--order 'x': expected a range"),
        (
            ["slimfly", "--order", "..99", "--sort", "price"],
            2,
            "sort key 'price' is unknown; expected one of order",
        ),
        (["equality", "--order", "..99"], 2, "equality: no list of instances"),
        (["slimfly", "--orders", "..99"], 2, "--orders"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(arguments, code, said):
    lines = call("enumerate", *arguments, code=code).stderr.splitlines()
    assert said in lines[-1]
    assert lines[-1].startswith("error: ")
    assert code == 3 or len(lines) == 1


def test_an_interruption_prints_what_is_there(monkeypatch):
    measure = ranking.Ranking.measure

    def interrupted(self, entry, waiting):
        if len(self.measured) == 2:
            raise KeyboardInterrupt
        measure(self, entry, waiting)

    monkeypatch.setattr(ranking.Ranking, "measure", interrupted)
    found = document("enumerate", "slimfly", "--balanced", "--endpoints", "..20000", code=130)
    check_document(found)
    assert (found["status"], found["printed"], found["fitting"]) == ("interrupted", 2, 12)
    assert (
        "interrupted" in call("enumerate", "slimfly", "--balanced", "--endpoints", "..999", code=130).stderr
    )


def test_bare_enumerates_something_and_says_what(monkeypatch):
    if not THOROUGH:
        few = [FAMILIES["slimfly"], FAMILIES["dragonfly"]]
        monkeypatch.setattr("topoctl.runs.enumerations.choose", lambda families: (few, {}))
    result = call("enumerate", "--top", "1")
    assert "all balanced networks with endpoints 900..1100, router radix ..48" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "fitting"),
    [
        ("dragonfly --links ..40 --concentration ..2", 26),
        ("slimdragonfly --links ..4000", 4),
        ("mesh --aspl ..3", 32),
        ("tct --diameter ..6", 7),
    ],
)
def test_what_ends_is_not_refused(arguments, fitting):
    found = document("enumerate", *arguments.split(), "--top", "0")
    assert (found["fitting"], found["printed"], found["undecided"]) == (fitting, fitting, 0)


def test_what_follows_from_ports_and_diameter_ends_an_enumeration():
    found = document("enumerate", "flex", "--router-radix", "..12", "--diameter", "..3", "--top", "0")
    assert max(row["parameters"]["nz"] for row in found["results"]) == 7
    assert {row["diameter"] for row in found["results"]} == {2, 3}


def test_fat_trees_without_an_upper_bound_are_those_that_can_be_built():
    result = call("enumerate", "fattree", "--endpoints", "5000..", "--router-radix", "..48", "--top", "1")
    assert result.stdout.splitlines()[1].split()[1] == "fattree(k=16,p=40)"
    assert "fattree: networks too large to be built on this machine are not listed" in result.stderr


def test_families_that_are_refused_beside_others_are_said_with_the_reason():
    result = call("enumerate", "mesh", "hyperx", "flex", "--diameter", "..2", "--top", "1")
    lines = result.stderr.splitlines()
    endless = "grow without end: expected an upper bound on order, endpoints or links"
    assert f"skipped: hyperx: the window lets dims {endless}" in lines
    assert f"skipped: flex: the window lets nx {endless}" in lines
    assert not any("skipped: mesh" in line for line in lines)
    lines = call("enumerate", "hyperx", "torus", "flex", "--order", "50..", code=2).stderr.splitlines()
    assert lines == [
        f"error: hyperx, torus: the window lets dims {endless}; flex: the window lets nx {endless}"
    ]


def test_all_without_a_range_has_the_range_of_the_bare_command(monkeypatch):
    monkeypatch.setattr(enumerations, "BARE", {"endpoints": "90..110", "router_radix": "..16"})
    result = call("enumerate", "all", "--balanced", "--top", "1")
    assert "no range: all balanced networks with endpoints 90..110, router radix ..16" in result.stderr
    bare = call("enumerate", "--top", "1")
    assert result.stdout == bare.stdout
    assert not any("grow without end" in line for line in result.stderr.splitlines())


def test_progress_says_what_is_done(monkeypatch):
    said = []
    monkeypatch.setattr("topoctl.search.enumeration.listing.REPORT_EVERY", 10)
    monkeypatch.setattr(ProgressDisplay, "show", lambda self, line: self.quiet or said.append(line))
    call("enumerate", "torus", "--order", "100..110", "--diameter", "..3", "--router-radix", "..12", code=3)
    assert said[0] == "torus: 10 structures looked at, 0 networks listed so far"
    assert said[-1] == "ranking 0 networks"
    said.clear()
    call("enumerate", "torus", "--order", "100..110", "--diameter", "..3", "-q", code=3)
    assert said == []


def test_nothing_but_the_error_is_said_quietly():
    asked = ["enumerate", "slimfly", "--order", "1..3"]
    assert "no upper bound on endpoints" in call(*asked, code=3).stderr
    assert call(*asked, "-q", code=3).stderr == "error: no network with order 1..3\n"
    said = call("enumerate", "slimfly", "--order", "18").stderr
    assert said.startswith("1 network fits, 1 printed, 1 router graph measured, ")


def test_every_window_has_an_option():
    assert {*QUANTITIES} <= {*options_of(EnumerationRequest)}


def test_oversubscribed_networks_are_counted():
    asked = ["enumerate", "slimfly", "--endpoints", "1900..2100"]
    rows = document(*asked, "--top", "5")["results"]
    beyond = sum(row["balance"] > 1 for row in rows)
    assert beyond
    said = f"oversubscribed (p/balanced above 1): {beyond} of these; --balance ..1 leaves such out"
    assert said in call(*asked, "--top", "5").stderr
    assert "oversubscribed" not in call(*asked, "--balance", "..1").stderr


def test_complete_graphs_are_listed_once_where_the_best_of_each_family_are_asked_for():
    families = ("hyperx", "dragonfly", "flatbutterfly")
    asked = ("--endpoints", "900", "--router-radix", "..64", "--each", "1")
    found = document("enumerate", *families, *asked)
    check_document(found)
    assert {row["family"]: row["diameter"] == 1 for row in found["results"]} == {
        "hyperx": True,
        "flatbutterfly": False,
        "dragonfly": False,
    }
    [note] = [note for note in found["notes"] if "complete graphs" in note]
    assert note == "complete graphs are listed as hyperx alone; dragonfly, flatbutterfly have them too"
    assert found["beyond_each"] == found["fitting"] - found["printed"]
    alone = document("enumerate", "dragonfly", *asked)
    assert [row["diameter"] for row in alone["results"]] == [1]
    assert not any("complete" in note for note in alone["notes"])


def test_families_without_a_network_are_told():
    asked = ("--endpoints", "900..1100", "--router-radix", "..48", "--each", "1")
    said = call("enumerate", "slimfly", "polarfly", "fattree", *asked, "--balanced").stderr
    wanted = "endpoints 900..1100, router radix ..48: slimfly, polarfly"
    assert f"no balanced network with {wanted}; leave out --balanced to look for others" in said
    assert "no network" not in call("enumerate", "slimfly", "fattree", *asked).stderr
