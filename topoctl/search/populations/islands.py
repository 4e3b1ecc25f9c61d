"""Islands: populations side by side. Which forms go on, who stays, and who migrates."""

from __future__ import annotations

from collections.abc import Sequence

from topoctl.search.populations.problem import Problem
from topoctl.search.populations.state import Individual, Island


def forms_kept(epoch: int, epochs: int, forms: int, islands: int, longest: int) -> int:
    """Return how many forms go on after `epoch` epochs: a race halves them, then the islands focus.

    Args:
        epoch: epochs done.
        epochs: planned.
        forms: in the race.
        islands: forms that it ends with.
        longest: epochs that it may take.

    Example:
        >>> [forms_kept(epoch, 16, 64, 4, 5) for epoch in range(0, 16, 2)]
        [64, 16, 4, 4, 2, 2, 1, 1]
    """
    if epoch >= 3 * epochs // 4:
        return 1
    if epoch >= epochs // 2:
        return min(forms, max(1, islands // 2))
    halvings, rounds = halvings_of(forms, islands), race_rounds(forms, islands, longest)
    done = halvings * epoch // rounds if epoch < rounds else halvings
    return min(forms, max(islands, -(-forms >> done)))


def race_rounds(forms: int, islands: int, longest: int) -> int:
    """Return how many epochs the race takes: one for each halving, if there are as many."""
    return min(longest, halvings_of(forms, islands))


def halvings_of(forms: int, islands: int) -> int:
    """Return how often forms are halved until there are no more than islands."""
    return (-(-forms // islands) - 1).bit_length()


def settle(problem: Problem, islands: Sequence[Island], kept: int) -> list[Island]:
    """Deal about `kept` of the best forms anew to the islands.

    Args:
        problem: chooses the forms.
        islands: as they are.
        kept: forms that go on.
    """
    request = problem.request
    pools: dict[int, list[Individual]] = {}
    for island in islands:
        pools.setdefault(island.form, []).extend(island.members)
    settled = []
    for form, weight in problem.settlement(pools, kept):
        members = [member.copy() for member in pools[form]]
        for member in members:
            member.fitness.values = problem.fitness(member, weight)
        settled.append(Island(form, weight, select_best(members, request.population)))
    return settled


def migrate(problem: Problem, islands: Sequence[Island]) -> None:
    """Send a copy of every island's best to the next island of the same form, in place of its worst."""
    by_form: dict[int, list[Island]] = {}
    for island in islands:
        by_form.setdefault(island.form, []).append(island)
    for ring in by_form.values():
        if len(ring) < 2:
            continue
        travellers = [island.members[0].copy() for island in ring]
        for place, island in enumerate(ring):
            guest = travellers[place - 1]
            guest.fitness.values = problem.fitness(guest, island.weight)
            if all(guest.key != member.key for member in island.members):
                island.members = select_best([*island.members[:-1], guest], len(island.members))


def select_best(individuals: Sequence[Individual], count: int) -> list[Individual]:
    """Return the `count` fittest of the distinct individuals, best first."""
    from deap import tools  # with all that DEAP imports, for populations alone

    distinct = {individual.key: individual for individual in reversed(individuals)}
    return list(tools.selBest([distinct[key] for key in sorted(distinct)], count))
