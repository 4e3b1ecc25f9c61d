"""Words that options have had stay, and the field's own words for the same are taken beside them."""

import pytest

from command_lines import command_tree
from commands import call, document

pytestmark = pytest.mark.once

SPELLINGS = {
    "search equality": ["--n", "--k --network-radix", "--p --endpoints-per-router", "--router-radix"],
    "optimize grid": ["--k --network-radix", "--l", "--width", "--height"],
    "optimize graph": ["--n", "--k --network-radix"],
    "enumerate": ["--order", "--network-radix", "--router-radix", "--concentration", "--endpoints"],
    "bounds": [
        *("--n", "--k --network-radix", "--p --endpoints-per-router"),
        *("--router-radix", "--endpoints"),
    ],
    "bounds grid": ["--k --network-radix", "--l", "--width", "--height"],
    "evaluate": ["--p --endpoints-per-router", "--graph"],
    "export": ["--p --endpoints-per-router", "--graph -o", "--format", "--output", "--json"],
    "plot": ["--picture -o", "--format", "--output"],
}
"""By command: options that scripts rely on, with the words that mean the same."""


@pytest.mark.parametrize("words", SPELLINGS)
def test_all_spellings_of_an_option_are_one_option(words):
    known = [set(one.opts) for one in dict(command_tree())[tuple(words.split())].params]
    for spellings in SPELLINGS[words]:
        assert sum(set(spellings.split()) <= opts for opts in known) == 1, spellings


def test_minus_o_is_what_the_command_is_for(folder):
    """The network of export, picture of plot, cables, plan of grow, lines of runs export, or the results."""
    own = {
        ("export",): "--graph",
        ("plot",): "--picture",
        ("runs", "export"): "--lines",
        ("cable",): "--cables",
        ("grow",): "--plan",
    }
    for words, command in command_tree():
        named = [one.opts[0] for one in command.params if "-o" in one.opts]
        if any(one.name == "output" for one in command.params):
            assert named == [own.get(words, "--output")], words
    call("evaluate", "torus(dims=3x3)", "-o", "found.json")
    call("export", "torus(dims=3x3)", "-o", "torus.edges", "--output", "found.csv")
    assert {"found.json", "found.csv", "torus.edges"} <= {path.name for path in folder.iterdir()}


def test_ports_are_split_into_links_and_endpoints():
    search = ["search", "equality", "--n", "32", "--p", "2", "--evaluations", "50", "--no-study"]
    by_links = document(*search, "--k", "4")
    by_ports = document(*search, "--router-radix", "6")
    assert by_ports["results"] == by_links["results"]
    assert by_ports["parameters"] == by_links["parameters"]
    assert "--p" in call(*search[:4], "--router-radix", "6", code=2).stderr
    assert "make 7 ports" in call(*search, "--router-radix", "6", "--k", "5", code=2).stderr
