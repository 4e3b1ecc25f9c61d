"""Options are declared once: the command line, Python and the schema have those of the requests."""

import inspect

import click
import pytest

import topoctl
from command_lines import command_tree
from topoctl.errors import InvalidParameters
from topoctl.options import check_options, options_of
from topoctl.report.schema.asked import ASKED, kind_of
from topoctl.search.cayley.request import CayleyRequest
from topoctl.search.equality.request import EqualityRequest

pytestmark = pytest.mark.once

DECLARED = {
    "search equality": (EqualityRequest, topoctl.search_equality),
    "search cayley": (CayleyRequest, topoctl.search_cayley),
}
"""The request of a command, and the function of the same name."""
OF_RUNS = {"workers", "cluster", "study", "progress"}
"""Arguments that say where and how a function runs."""
each = pytest.mark.parametrize("command", DECLARED)


@each
def test_a_command_has_the_options_of_its_request(command):
    request, _ = DECLARED[command]
    known = {one.name: one for one in dict(command_tree())[tuple(command.split())].params}
    for name, option in options_of(request).items():
        assert {option.word, *option.also} == {*known[name].opts}
        assert known[name].help == option.sentence
        assert not isinstance(known[name].type, click.types.StringParamType)


@each
def test_a_function_has_an_argument_for_every_option_and_explains_it(command):
    request, function = DECLARED[command]
    arguments = {*inspect.signature(function).parameters} - OF_RUNS
    assert arguments == {option.keyword for option in options_of(request).values()}
    for keyword in arguments:
        assert f"\n    {keyword}:" in inspect.getdoc(function)


@each
def test_every_option_is_in_the_schema(command):
    request, _ = DECLARED[command]
    for name, option in options_of(request).items():
        assert ASKED[name][1]
        assert kind_of(option)["type"]


@each
def test_every_option_takes_its_default_and_refuses_what_is_out_of_range(command):
    request, _ = DECLARED[command]
    for option in options_of(request).values():
        if option.above is not None or option.least is not None:
            least = option.above if option.least is None else option.least - 1
            with pytest.raises(InvalidParameters, match=f"^{option.word} {least}: expected "):
                option.check(least)
        if option.most is not None:
            with pytest.raises(InvalidParameters, match=f"^{option.word} .*: expected .*{option.most}$"):
                option.parse(str(option.most + 1))
        if option.choices:
            with pytest.raises(
                InvalidParameters, match=f"{option.word} 'none': expected {option.choices[0]}"
            ):
                option.check("none")


def test_a_request_checks_its_options():
    with pytest.raises(InvalidParameters, match="--stagnation 0: expected 1"):
        EqualityRequest(64, 4, stagnation=0)
    check_options(EqualityRequest(64, 4))
