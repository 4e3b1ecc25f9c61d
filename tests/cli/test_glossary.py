"""``topoctl glossary``: it explains whatever stands in a table, a help or a document."""

import click
import pytest

from command_lines import command_tree
from commands import call, document
from topoctl.economics.prices import price_models
from topoctl.families import FAMILIES
from topoctl.floor.floor import floors
from topoctl.formats import FORMATS
from topoctl.measures import MEASURES
from topoctl.routing import IN_PAPERS, ROUTINGS
from topoctl.routing.channels import SCHEMES
from topoctl.routing.patterns import PATTERNS
from topoctl.simulation.workloads import WORKLOADS

pytestmark = pytest.mark.once
OPTIONS = {
    word.removeprefix("--")
    for _, command in command_tree()
    for one in command.params
    if isinstance(one, click.Option) and not one.hidden
    for word in one.opts
    if word.startswith("--")
}
NAMES = {*FAMILIES, *ROUTINGS, *PATTERNS, *WORKLOADS, *SCHEMES, *FORMATS, *MEASURES, *floors()}
NAMES |= {*price_models()} | IN_PAPERS.keys() - {"lbr"}


def test_every_option_and_every_name_is_explained():
    for word in OPTIONS | NAMES:
        rows = document("glossary", word)["results"]
        assert rows, word
        assert all(row["meaning"] for row in rows), word


def test_an_option_is_explained_by_the_commands_that_have_it():
    [row] = document("glossary", "--aisle")["results"]
    assert document("glossary", "aisle")["results"] == [row]
    assert row["term"] == "--aisle"
    assert row["meaning"] == "topoctl cable: Metres between two rows of racks"
    rows = document("glossary", "edges")["results"]
    assert [row["term"] for row in rows] == ["size", "edges"]


def test_what_nothing_is_called_is_refused():
    result = call("glossary", "nothing-at-all", code=2)
    assert "is unknown" in result.stderr


@pytest.mark.parametrize(
    ("word", "term"),
    [
        ("knee", "knee"),
        ("virtual-channel", "virtual channel"),
        ("tolerance", "behind"),
        ("even hops", "hop set"),
    ],
)
def test_words_are_found_as_people_write_them(word, term):
    [row] = document("glossary", word)["results"]
    assert row["term"] == term
