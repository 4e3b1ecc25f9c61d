"""The best distinct networks that a search has found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from topoctl.search.populations.problem import Problem
from topoctl.search.populations.state import Leader, PopulationState


def rank(problem: Problem, state: PopulationState, found: Sequence[Leader | None]) -> None:
    """Count networks that were scored exactly, and let the best distinct ones lead."""
    former = state.leaders[:1]
    news = [leader for leader in found if leader is not None]
    state.leaders = best_distinct(problem, [*state.leaders, *news], problem.request.top)
    state.scored += len(found)
    state.stale = state.stale + 1 if state.leaders[:1] == former else 0
    if state.leaders:
        best = state.leaders[0]
        score = [best.diameter, best.reach, problem.forms[best.form].order]
        if not state.trace or state.trace[-1][1:] != score:
            state.trace.append([state.exchanges + state.scored, *score])


def best_distinct(problem: Problem, leaders: Iterable[Leader], count: int) -> list[Leader]:
    """Return the best `count` different networks, best first; of equal ones, the one found first."""
    names: dict[Leader, tuple[int, ...]] = {}
    kept: list[Leader] = []
    for leader in sorted(leaders, key=problem.rank):
        if len(kept) == count:
            break
        if not any(_same_network(problem, leader, other, names) for other in kept):
            kept.append(leader)
    return kept


def _same_network(problem: Problem, one: Leader, other: Leader, names: dict[Leader, tuple[int, ...]]) -> bool:
    """Whether two leaders are one network; names, which take long to find, are compared last."""
    if (one.diameter, one.reach) != (other.diameter, other.reach):
        return False
    if problem.forms[one.form].space != problem.forms[other.form].space:
        return False
    for leader in (one, other):
        if leader not in names and one.generators != other.generators:
            names[leader] = problem.canonical(leader)
    return one.generators == other.generators or names[one] == names[other]
