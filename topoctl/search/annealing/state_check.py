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
from topoctl.search.json_shapes import many, row, whole
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
        InvalidParameters: a rotation that the problem has not, or a network that breaks the rules.
    """
    order, degree, count = problem.order, problem.degree, request.replicas
    rotation_order, furthest = whole(1, order), whole(0, order if objective.in_hops else Array.most)
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
            "folds": many(rotation_order, count, count),
            "temperatures": many(whole(0, HOTTEST), count, count),
            "leaders": many(row(whole(0, len(legs) - 1), whole(0, count - 1), rotation_order, *rank)),
            "bests": many(row(rotation_order, row(*rank))),
            "scores": many(row(whole(), whole(), furthest, whole(), whole()), count, count),
        },
    )
    whole(0, legs[-1].first + legs[-1].blocks)(state.epoch, "epoch")
    if len(state.notes["leaders"]) != len(state.arrays["leaders"]):
        raise Damaged("notes.leaders and array leaders are not of the same length")
    _check_trace(state, count)
    _check_networks(AnnealingState.restored(state), problem)


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
    networks = [*zip(current.slots, current.rotation_orders, strict=True)]
    networks += [(leader.slots, leader.rotation_order) for leader in current.leaders]
    for number, (slots, rotation_order) in enumerate(networks):
        check_network(problem.neighborhood, slots, problem.rotation(rotation_order), number)
