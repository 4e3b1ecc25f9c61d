"""Every search that a command runs: pure epochs that are stored, resumed and repeated, as the protocol says.

The searches are those of the examples in the help of each command, with a small limit.
"""

import json
from dataclasses import replace
from functools import cache
from itertools import pairwise
from unittest import mock

import pytest

from command_lines import command_tree, examples, shortened
from commands import ended
from kernels.backends import BACKENDS, needs_native, only
from properties import THOROUGH
from topoctl.errors import Damaged
from topoctl.search.certify import certify
from topoctl.search.registry import SEARCHES, search_class
from topoctl.search.state import check_decodes, decoding, from_bytes, to_bytes

pytestmark = pytest.mark.once
EPOCHS = 2  # no more of each search

each_command = pytest.mark.parametrize("command", SEARCHES)


class Planned(BaseException):
    """Thrown instead of a search's first state; no command takes it for a failure."""


def planned(line):
    """The search that a command line runs, with a small limit; None where it runs none, or needs a file."""
    command = next(command for command in SEARCHES if line.startswith(f"topoctl {command}"))

    def stop(search):
        raise Planned(search)

    with mock.patch.object(search_class(command), "first_state", stop):
        try:
            ended(*shortened(line), "--no-study", "--quiet")
        except Planned as found:
            return found.args[0]
    return None


@cache
def searches(command):
    """The searches of a command's examples, each with its first states."""
    lines = examples(dict(command_tree())[tuple(command.split())])[:: 1 if THOROUGH else 2]
    found = [search for search in map(planned, lines) if search]
    assert found
    return [(search, first_states(search)) for search in found]


def first_states(search):
    states = [search.first_state()]
    while len(states) <= EPOCHS and not search.finished(states[-1]):
        states.append(search.step(states[-1], threads=1))
    assert all(array.dtype.kind in "ib" for state in states for array in state.arrays.values())
    return states


def again(search, **changes):
    """The search that a study builds of what it has stored."""
    return type(search).from_parameters(json.loads(json.dumps({**search.parameters, **changes})))


def scores(search, state):
    return [(found.spec, found.diameter, found.distance_sum) for found in search.leaders(state)]


@each_command
def test_a_search_is_built_again_from_its_parameters(command):
    for search, _ in searches(command):
        assert search.command == command
        assert again(search).parameters == search.parameters
        assert again(search).seed == search.seed == search.parameters["seed"]
    search, states = searches(command)[-1]  # of the others, see where they are repeated
    assert to_bytes(again(search).first_state()) == to_bytes(states[0])


@each_command
def test_every_state_is_stored_checked_and_goes_on_to_the_next(command):
    for search, states in searches(command):
        for state, following in pairwise(states):
            stored = from_bytes(to_bytes(state))
            resumed = again(search)
            check_decodes(resumed, stored)
            assert not resumed.finished(stored)
            assert to_bytes(resumed.step(stored, threads=1)) == to_bytes(following)


@each_command
def test_no_epoch_depends_on_threads_nor_changes_its_state(command):
    for search, states in searches(command):
        state, following = states[:2]
        before = to_bytes(state)
        for array in state.arrays.values():
            array.flags.writeable = False
        assert to_bytes(search.step(state, threads=3)) == to_bytes(following)
        assert to_bytes(state) == before


@needs_native
@each_command
def test_both_backends_go_on_alike(command):
    search, states = min(searches(command), key=lambda found: len(to_bytes(found[1][0])))
    for name in BACKENDS:
        with only(name):
            assert to_bytes(search.step(states[-2], threads=2)) == to_bytes(states[-1])


@each_command
def test_a_search_is_repeated_by_what_it_records(command):
    for search, states in searches(command):
        repeated = again(search, **search.record(states[-1]))
        first = repeated.first_state()
        assert scores(repeated, first) == scores(search, states[0])
        assert scores(repeated, repeated.step(first, threads=1)) == scores(search, states[1])


@each_command
def test_what_is_found_is_counted_ranked_and_measures_as_scored(command):
    for search, states in searches(command):
        for number, state in enumerate(states):
            status = search.status(state)
            assert status.epoch == state.epoch == number
            assert status.evaluations == state.evaluations
        assert all(one.evaluations <= next_.evaluations for one, next_ in pairwise(states))
        best = search.status(states[-1]).best
        assert (best.spec, best.diameter, best.distance_sum) in scores(search, states[-1])
        for leader in search.leaders(states[-1]):
            certify(leader, threads=1)


@each_command
def test_what_is_no_state_of_a_search_is_refused(command):
    def use(found, changed):
        with decoding("the state"):
            check_decodes(found, changed)
            found.step(changed, threads=1)

    search, (*_, state) = searches(command)[0]
    for change in ({"arrays": {}}, {"notes": {}}):
        found, changed = again(search), replace(state, **change)
        with pytest.raises(Damaged):
            use(found, changed)
