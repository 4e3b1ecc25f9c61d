"""``topoctl search equality``: certified, stored, printed; the toy search stands in for the real one."""

import json

from commands import SEARCH, call, check_row, document
from topoctl.errors import TopoctlError


def test_a_search_is_certified_and_stored():
    found = document(*SEARCH, "--seed", "3")
    assert (found["command"], found["seed"], found["status"]) == ("search equality", 3, "finished")
    assert found["evaluations"] == 110
    for rank, row in enumerate(found["results"], 1):
        check_row(row)
        assert row["rank"] == rank
    scores = [(row["diameter"], row["distance_sum"]) for row in found["results"]]
    assert scores == sorted(scores)
    assert document("runs", "resume", 1) == found
    (row,) = document("runs", "list")["results"]
    assert (row["id"], row["status"], row["spec"]) == (1, "finished", found["results"][0]["spec"])
    (run,) = document("runs", "show", 1)["results"]
    assert run["networks"] == found["results"]
    assert found["results"][0]["spec"] in call("runs", "show", 1).stdout


def test_a_search_says_where_it_is_stored():
    assert "run 1 in study topoctl.db" in call(*SEARCH).stderr
    assert call(*SEARCH, "--quiet").stderr == ""
    assert "study" not in call(*SEARCH, "--no-study").stderr
    assert len(document("runs", "list")["results"]) == 2


def test_the_same_seed_gives_the_same_result():
    one, other = (document(*SEARCH, "--workers", workers) for workers in (1, 2))
    one.pop("seconds"), other.pop("seconds")
    assert one == other


def test_the_graph_that_is_written_is_the_graph_that_is_reported(folder):
    found = document(*SEARCH, "--graph", "best.edges")
    best = found["results"][0]
    assert best["file"] == "best.edges"
    (row,) = document("evaluate", "best.edges")["results"]
    assert (row["diameter"], row["distance_sum"]) == (best["diameter"], best["distance_sum"])


def test_a_search_that_misreports_its_score_is_not_reported(monkeypatch):
    import toy_search

    honest = toy_search.score
    monkeypatch.setattr(toy_search, "score", lambda *network: (honest(*network)[0], honest(*network)[1] - 1))
    result = call(*SEARCH, code=1)
    assert "distance sum" in result.stderr
    assert result.stdout == ""


def full(*_, **__):
    raise TopoctlError("the disk is full")


def test_results_that_cannot_be_stored_are_still_printed(monkeypatch):
    monkeypatch.setattr("topoctl.study.store.Study.conclude", full)
    result = call(*SEARCH, "--json", code=1)
    assert json.loads(result.stdout)["results"]
    assert "error: the disk is full" in result.stderr


def test_a_graph_that_cannot_be_written_loses_no_result(monkeypatch):
    monkeypatch.setattr("topoctl.search.certify.write_topology", full)
    printed = json.loads(call(*SEARCH, "--json", "--graph", "best.edges", code=1).stdout)
    assert "file" not in printed["results"][0]
    assert document("runs", "resume", 1) == printed


def test_explicit_options_override_a_preset():
    found = document("search", "equality", "--preset", "e369", "--n", "24", "--k", "5", "--evaluations", "20")
    assert (found["results"][0]["order"], found["published"]) == (24, None)


def test_a_preset_brings_its_published_mark():
    arguments = ["search", "equality", "--preset", "e369", "--evaluations", "20"]
    found = document(*arguments)
    assert found["published"]["preset"] == "equality/e369"
    assert "published (equality/e369): D 2" in call(*arguments).stdout


def test_a_bare_search_says_what_it_does(monkeypatch):
    stderr = call("search", "equality", "--no-study").stderr
    assert "equality/e361 for 10 s" in stderr


def test_a_default_study_that_cannot_be_used_is_only_warned_of(folder):
    (folder / "topoctl.db").write_text("garbage")
    result = call(*SEARCH)
    assert "warning: study topoctl.db" in result.stderr
    assert "this run is not stored" in result.stderr
    assert call(*SEARCH, "-q").stderr == ""
    assert (folder / "topoctl.db").read_text() == "garbage"
