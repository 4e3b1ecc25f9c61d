"""Options are declared once: the command line, Python and the schema have those of the requests."""

import inspect

import click
import pytest

import topoctl
from command_lines import command_tree
from topoctl.cli import completion
from topoctl.errors import InvalidParameters
from topoctl.options import options_of
from topoctl.options.enumerate import EnumerationRequest
from topoctl.options.evaluate import EvaluationRequest
from topoctl.options.route import RouteRequest
from topoctl.report.schema.parameters import ASKED, REQUESTS, kind_of
from topoctl.search.annealing.request import OF_GRAPHS, OF_GRIDS, AnnealingRequest
from topoctl.search.design.request import DesignRequest
from topoctl.search.growth.request import GrowRequest
from topoctl.search.hosts.request import HostsRequest
from topoctl.search.populations.cayley_request import CayleyRequest
from topoctl.search.populations.equality_request import EqualityRequest
from topoctl.simulation.request import SimulationRequest

pytestmark = pytest.mark.once

DECLARED = {
    "search equality": (EqualityRequest, (), topoctl.search_equality),
    "search cayley": (CayleyRequest, (), topoctl.search_cayley),
    "optimize grid": (AnnealingRequest, OF_GRAPHS, topoctl.optimize_grid),
    "optimize graph": (AnnealingRequest, OF_GRIDS, topoctl.optimize_graph),
    "optimize hosts": (HostsRequest, (), topoctl.optimize_hosts),
    "grow": (GrowRequest, ("naming", "floor"), topoctl.grow),
    "design": (DesignRequest, (), topoctl.design),
    "evaluate": (EvaluationRequest, ("concentration", "naming"), topoctl.evaluate),
    "route": (RouteRequest, ("certificate", "channels", "tables", "loads", "guids", "naming"), topoctl.route),
    "simulate": (SimulationRequest, ("packets", "curve"), topoctl.simulate),
    "enumerate": (EnumerationRequest, (), topoctl.enumerate),
}
"""The request of a command, fields whose options the function has not, and the function of the same name."""
OTHER_ARGUMENTS = {"workers", "cluster", "study", "progress", "network", "networks", "families"}
"""Arguments that say what a function works on, where and how it runs."""
OPTIONS = [(request, option) for request in REQUESTS for option in options_of(request).values()]
each_command = pytest.mark.parametrize("command", DECLARED)


def declared(command):
    request, missing, _ = DECLARED[command]
    return {name: option for name, option in options_of(request).items() if name not in missing}


@each_command
def test_a_command_has_the_options_of_its_request(command):
    parameters = dict(command_tree())[tuple(command.split())].params
    known = {one.name: one for one in parameters if isinstance(one, click.Option)}
    options = declared(command)
    assert [name for name in known if name in options] == [*options]
    for name, option in options.items():
        assert {option.word, *option.also} == {*known[name].opts}
        assert option.word in known[name].opts


@each_command
def test_a_function_has_an_argument_for_every_option_and_explains_it(command):
    function = DECLARED[command][-1]
    arguments = {*inspect.signature(function).parameters} - OTHER_ARGUMENTS
    assert arguments == {option.keyword for option in declared(command).values()}
    for keyword in arguments:
        assert f"\n    {keyword}: " in inspect.getdoc(function)


def test_an_option_has_a_sentence_of_help_and_a_place_in_the_schema():
    for request, option in OPTIONS:
        named = request.__name__, option.name
        assert option.help.endswith("."), named
        assert option.help[0].isupper(), named
        assert option.sentence.endswith("."), named
        assert option.metavar or option.choices or option.is_flag, named
        assert option.completion is None or callable(getattr(completion, option.completion)), named
        assert (option.names is not None) == ("{names}" in option.help), named
        assert kind_of(option)["type"], named
        assert ASKED[option.name][1], named


def test_an_option_refuses_what_is_not_among_its_values():
    for _, option in OPTIONS:
        wrong = [] if option.least is None else [option.least - 1]
        wrong += [] if option.most is None else [option.most + 1]
        wrong += [] if option.above is None else [option.above]
        wrong += ["no such choice"] if option.choices else []
        for value in wrong:
            with pytest.raises(InvalidParameters, match=rf"^{option.word} \S.*: expected "):
                option.parse(str(value))
            with pytest.raises(InvalidParameters, match=rf"^{option.word} \S.*: expected "):
                option.check(value)
        option.check(None)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("symmetry", "auto", None),
        ("symmetry", "12", 12),
        ("symmetry", "7,3,2", (7, 3, 2)),
        ("cabinet", "0.6x2.1", (0.6, 2.1)),
        ("length_limit", "3", 3),
        ("length_limit", "7.5m", "7.5m"),
        ("seeds", "1..3", (1, 2, 3)),
        ("layout", "diagrid", "diagrid"),
        ("max_latency_ns", "600", 600.0),
    ],
)
def test_text_becomes_a_value(name, text, value):
    assert options_of(AnnealingRequest)[name].parse(text) == value


@pytest.mark.parametrize(
    ("name", "text"), [("cabinet", "1"), ("cabinet", "1xa"), ("symmetry", "1,x"), ("degree", "1_0")]
)
def test_text_of_another_form_is_refused(name, text):
    option = options_of(AnnealingRequest)[name]
    with pytest.raises(InvalidParameters, match=f"^{option.word} '{text}': expected "):
        option.parse(text)


def test_a_request_checks_its_options():
    with pytest.raises(InvalidParameters, match="--stagnation 0: expected 1"):
        EqualityRequest(64, 4, stagnation=0)
    with pytest.raises(InvalidParameters, match="--layout 'torus': expected grid or diagrid"):
        AnnealingRequest(order=36, degree=4, layout="torus", width=6, height=6)
