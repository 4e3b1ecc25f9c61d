"""Islands: populations side by side, each of one form and one weight; which forms go on, and who migrates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from topoctl.search.equality.population import Individual, select_best

REACH = 5
"""What a router beyond the target diameter costs where it is to be reached; 1 where the ASPL alone counts."""
TOLERANCE = 1000
"""The target counts as within reach while at most one router in so many is beyond it."""
RACE_EPOCHS = 3


@dataclass
class Island:
    """One population.

    Attributes:
        form: its place in the list of forms.
        weight: of routers beyond the target diameter, REACH or 1.
        members: fittest first.
    """

    form: int
    weight: int
    members: list[Individual]


def forms_kept(epoch: int, epochs: int, forms: int, islands: int) -> int:
    """How many forms go on after `epoch` epochs: the race halves them, then the islands focus.

    Example:
        >>> [forms_kept(epoch, 16, 16, 4) for epoch in range(0, 16, 2)]
        [16, 4, 4, 4, 2, 2, 1, 1]
    """
    if epoch >= 3 * epochs // 4:
        return 1
    if epoch >= epochs // 2:
        return min(forms, max(1, islands // 2))
    if epoch < RACE_EPOCHS:
        return min(forms, max(islands, -(-forms >> epoch)))
    return min(forms, islands)


def resettle(islands: Sequence[Island], kept: int, count: int, population: int, order: int) -> list[Island]:
    """Deal the best forms anew to the islands.

    While no network has reached the target diameter but some are close, every other place goes to the ASPL
    alone: reaching it may turn out to be impossible.

    Args:
        islands: as they are.
        kept: forms that go on.
        count: islands wanted; more where more forms go on.
        population: members of an island at most.
        order: routers, for the tolerance.
    """
    pools: dict[int, list[Individual]] = {}
    for island in islands:
        pools.setdefault(island.form, []).extend(island.members)

    def energy(form: int, weight: int) -> int:
        return min(member.energy(weight) for member in pools[form])

    least = {form: min(member.unreached for member in members) for form, members in pools.items()}
    reach = sorted(pools, key=lambda form: (least[form] * TOLERANCE > order, energy(form, REACH), form))
    close = [(form, REACH) for form in reach if least[form] * TOLERANCE <= order]
    aspl = [(form, 1) for form in sorted(pools, key=lambda form: (energy(form, 1), form))]
    if min(least.values()) == 0:
        chosen = [(form, REACH) for form in reach][:kept]
    elif close:
        both = [one for pair in zip(close, aspl, strict=False) for one in pair]
        both += [one for one in close + aspl if one not in both]
        chosen = both[: max(kept, 2)]
    else:
        chosen = aspl[:kept]
    settled = []
    for place in range(max(count, len(chosen))):
        form, weight = chosen[place % len(chosen)]
        members = [member.copy() for member in pools[form]]
        for member in members:
            member.weigh(weight)
        settled.append(Island(form, weight, select_best(members, population)))
    return settled


def migrate(islands: Sequence[Island]) -> None:
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
            guest.weigh(island.weight)
            if all(guest.key != member.key for member in island.members):
                island.members = select_best([*island.members[:-1], guest], len(island.members))
