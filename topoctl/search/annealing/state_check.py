"""What the stored state of an annealing search is declared to be."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from topoctl.errors import Damaged
from topoctl.kernels.link_annealing.checks import check_network
from topoctl.search.annealing.objectives.base import Objective
from topoctl.search.annealing.problem import Problem
from topoctl.search.annealing.request import AnnealingRequest
from topoctl.search.annealing.schedule import HOTTEST, Leg
from topoctl.search.annealing.state import TRACE, AnnealingState
from topoctl.search.json_shapes import Shape, many, row, text, whole
from topoctl.search.protocol import SearchState
from topoctl.search.state_checks import DRAWS, Array, check_state


def check_annealing_state(
    state: SearchState, problem: Problem, request: AnnealingRequest, objective: Objective, legs: Sequence[Leg]
) -> None:
    """Hold a state against what :meth:`AnnealingState.stored` writes, its networks against the problem.

    Args:
        state: read from a study.
        problem: where its routers stand, and which links are allowed.
        request: what is asked for.
        objective: what they are to become.
        legs: all that are planned.

    Raises:
        Damaged: an array or a note has not the shape that is declared here.
        InvalidParameters: a symmetry that the problem has not, or a network that breaks the rules.
    """
    order, degree, count = problem.order, problem.degree, request.replicas
    furthest = whole(0, order if objective.in_hops else Array.most)
    group, arm = _group(order), _arm(order)
    rank = (whole(0, order**2), *(whole(),) * objective.value_count, whole(0, order), whole(0, order**3))
    check_state(
        state,
        arrays={
            "slots": Array(np.int32, (count, order, degree), -1, order - 1),
            "leaders": Array(np.int32, (range(1, request.top + 1), order, degree), -1, order - 1),
            "trace": Array(np.int64, (count * (state.epoch + 1), len(TRACE))),
        },
        notes={
            "draws": DRAWS,
            "folds": many(group, count, count),
            "arms": many(arm, count, count),
            "origins": many(text(), count, count),
            "temperatures": many(whole(0, HOTTEST), count, count),
            "leaders": many(row(whole(0, len(legs) - 1), whole(0, count - 1), group, *rank)),
            "leader_origins": many(text()),
            "bests": many(row(arm, row(*rank))),
            "known": many(text()),
            "tries": many(row(arm, whole(1), whole(-1, len(legs) - 1), whole())),
            "scores": many(row(whole(), whole(), furthest, whole(), whole()), count, count),
        },
        lacking=("tries", "arms", "origins", "leader_origins", "known"),
    )
    whole(0, legs[-1].first + legs[-1].blocks)(state.epoch, "epoch")
    for name in ("leaders", "leader_origins"):
        if name in state.notes and len(state.notes[name]) != len(state.arrays["leaders"]):
            raise Damaged(f"notes.{name} and array leaders are not of the same length")
    _check_trace(state, count)
    _check_networks(AnnealingState.restored(state), problem)


def _group(most: int) -> Shape:
    """What :func:`stored_group` writes of a group of so many elements at most."""
    rotation, three = whole(1, most), row(*[whole(1, most)] * 3)
    return lambda value, place: (three if isinstance(value, list) else rotation)(value, place)


def _arm(most: int) -> Shape:
    """What :func:`stored_arm` writes of an arm, whose group has so many elements at most."""
    group, name = _group(most), text()
    return lambda value, place: (name if isinstance(value, str) else group)(value, place)


def _check_trace(state: SearchState, count: int) -> None:
    """One row a replica before the first epoch, and one after each."""
    epochs = np.maximum(np.arange(state.epoch + 1) - 1, 0)
    expected = np.stack([np.repeat(epochs, count), np.tile(np.arange(count), len(epochs))], axis=1)
    if not np.array_equal(state.arrays["trace"][:, :2], expected):
        raise Damaged(f"array trace is not of {count} replicas after each of {state.epoch} epochs")


def _check_networks(current: AnnealingState, problem: Problem) -> None:
    """The networks keep the rules of the problem, and the best lead."""
    ranks = [leader.rank for leader in current.leaders]
    if ranks != sorted(ranks):
        raise Damaged("notes.leaders are not in order, best first")
    networks = [*zip(current.slots, current.groups, strict=True)]
    networks += [(leader.slots, leader.group) for leader in current.leaders]
    for number, (slots, group) in enumerate(networks):
        check_network(problem.neighborhood, slots, problem.generators(group), number)
