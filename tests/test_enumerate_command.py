"""``topoctl enumerate``: documents, messages, exit codes."""

import csv

import pytest
from test_cli import call, check_row, document, folder  # noqa: F401 - the fixture runs by itself

from topoctl.cli.enumerate import WINDOWS
from topoctl.search import enumeration
from topoctl.search.windows import QUANTITIES


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
    assert "skipped: jellyfish, dln: random networks" in result.stderr
    assert len(result.stdout.splitlines()) == 4
    found = document("enumerate", "all", "--endpoints", "60..64", "--router-radix", "..9", "--top", "3")
    assert {one["family"] for one in found["skipped"]} == {"equality", "jellyfish", "dln"}
    assert found["fitting"] > found["printed"] == 3


def test_quiet_says_nothing_and_output_holds_all(folder):  # noqa: F811
    arguments = ["enumerate", "torus", "--order", "16", "--concentration", "1", "-q", "--output", "found.csv"]
    assert call(*arguments).stderr == ""
    with (folder / "found.csv").open() as lines:
        rows = list(csv.DictReader(lines))
    assert {row["spec"] for row in rows} == {
        f"torus(dims={sizes})" for sizes in ("16", "8x2", "4x4", "4x2x2", "2x2x2x2")
    }


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["slimfly"], 2, "slimfly: the window lets q grow without end"),
        (["flex", "--router-radix", "..48"], 2, "flex: the window lets nz grow without end"),
        (["slimfyl", "--order", "..9"], 2, "family 'slimfyl' is unknown; did you mean slimfly?"),
        (["slimfly", "--order", "51..97"], 3, "no network with order 51..97"),
        (["slimfly", "--order", "x"], 2, "--order 'x': expected a range"),
        (["slimfly", "--order", "..99", "--sort", "price"], 2, "sort key 'price': expected one of order"),
        (["equality", "--order", "..99"], 2, "equality: has no list of instances"),
        (["slimfly", "--orders", "..99"], 2, "--orders"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(arguments, code, said):
    lines = call("enumerate", *arguments, code=code).stderr.splitlines()
    assert said in lines[-1]
    assert lines[-1].startswith("error: ")
    assert code == 3 or len(lines) == 1


def test_an_interruption_prints_what_is_there(monkeypatch):
    build = enumeration.Ranking.build

    def interrupted(self, entry):
        if len(self.measured) == 2:
            raise KeyboardInterrupt
        return build(self, entry)

    monkeypatch.setattr(enumeration.Ranking, "build", interrupted)
    found = document("enumerate", "slimfly", "--balanced", "--endpoints", "..20000", code=130)
    assert (found["status"], found["printed"], found["fitting"]) == ("interrupted", 2, 12)
    assert (
        "interrupted" in call("enumerate", "slimfly", "--balanced", "--endpoints", "..999", code=130).stderr
    )


def test_bare_enumerates_something_and_says_what():
    result = call("enumerate", "--top", "1")
    assert "all balanced networks with endpoints 900..1100, router radix ..48" in result.stderr


def test_every_window_has_an_option():
    assert set(WINDOWS) == set(QUANTITIES)
