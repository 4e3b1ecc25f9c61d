"""What the stored state of an annealing search is declared to be."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from topoctl.errors import Damaged
from topoctl.kernels.link_annealing.checks import check_network
from topoctl.search.annealing.goal import Goal
from topoctl.search.annealing.request import AnnealingRequest
from topoctl.search.annealing.schedule import HOTTEST, Leg
from topoctl.search.annealing.site import Site
from topoctl.search.annealing.state import TRACE, Crew
from topoctl.search.protocol import SearchState
from topoctl.search.shapes import many, row, whole
from topoctl.search.state_shapes import DRAWS, Array, check_state


def check_crew(
    state: SearchState, site: Site, request: AnnealingRequest, goal: Goal, legs: Sequence[Leg]
) -> None:
    """Hold a state against what :meth:`Crew.stored` writes; its networks must keep the rules of the site.

    Args:
        state: read from a study.
        site: where its networks are.
        request: what is asked for.
        goal: what they are to become.
        legs: all that are planned.

    Raises:
        Damaged: an array or a note has not the shape that is declared here.
        InvalidParameters: a rotation that the site has not, or a network that breaks the rules.
    """
    order, degree, count = site.order, site.degree, request.replicas
    fold, furthest = whole(1, order), whole(0, order if goal.in_hops else Array.most)
    rank = (whole(0, order**2), *(whole(),) * goal.parts, whole(0, order), whole(0, order**3))
    check_state(
        state,
        arrays={
            "slots": Array(np.int32, (count, order, degree), -1, order - 1),
            "leaders": Array(np.int32, (range(1, request.top + 1), order, degree), -1, order - 1),
            "trace": Array(np.int64, (count * (state.epoch + 1), len(TRACE))),
        },
        notes={
            "draws": DRAWS,
            "folds": many(fold, count, count),
            "temperatures": many(whole(0, HOTTEST), count, count),
            "leaders": many(row(whole(0, len(legs) - 1), whole(0, count - 1), fold, *rank)),
            "bests": many(row(fold, row(*rank))),
            "scores": many(row(whole(), whole(), furthest, whole(), whole()), count, count),
        },
    )
    whole(0, legs[-1].first + legs[-1].blocks)(state.epoch, "epoch")
    if len(state.notes["leaders"]) != len(state.arrays["leaders"]):
        raise Damaged("notes.leaders and array leaders are not of the same length")
    _check_trace(state, count)
    _check_networks(Crew.restored(state), site)


def _check_trace(state: SearchState, count: int) -> None:
    """One row a replica before the first epoch, and one after each."""
    epochs = np.maximum(np.arange(state.epoch + 1) - 1, 0)
    expected = np.stack([np.repeat(epochs, count), np.tile(np.arange(count), len(epochs))], axis=1)
    if not np.array_equal(state.arrays["trace"][:, :2], expected):
        raise Damaged(f"array trace is not of {count} replicas after each of {state.epoch} epochs")


def _check_networks(crew: Crew, site: Site) -> None:
    """The networks keep the rules of the site, and the best lead."""
    ranks = [leader.rank for leader in crew.leaders]
    if ranks != sorted(ranks):
        raise Damaged("notes.leaders are not in order, best first")
    networks = [*zip(crew.slots, crew.folds, strict=True)]
    networks += [(leader.slots, leader.fold) for leader in crew.leaders]
    for number, (slots, fold) in enumerate(networks):
        check_network(site.neighborhood, slots, site.rotation(fold), number)
