"""Which of the measured networks a design reports: its front, and the nearest of each other family."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from topoctl.analysis.pareto import stand_ins
from topoctl.search.design.front import DesignNetwork, Pool, in_all
from topoctl.search.design.prospects import missed_in_words
from topoctl.search.design.request import GRID

NO_TIME = "no time to list it"
"""Why a family was skipped, where more time would help."""


@dataclass(frozen=True, eq=False)
class Reported:
    """A network that is reported.

    Attributes:
        option: the network.
        pareto: whether it is on the front.
        remark: why it is not shown there.
        merged: others of the front that it stands for.
    """

    option: DesignNetwork
    pareto: bool
    remark: str | None = None
    merged: Sequence[DesignNetwork] = ()


def reported(pool: Pool) -> list[Reported]:
    """The front by its first objective, then of each other family the network nearest to what is asked.

    Networks of the front that another stands for are shown only as those of families that are not there.
    """
    tolerance = pool.request.front_tolerance
    whole = pool.front
    standing = stand_ins([pool.vector(option.numbers) for option in whole], tolerance / 100)
    ranks = {place: rank for rank, place in enumerate(sorted({*standing}), 1)}
    front = {option: ranks[place] for option, place in zip(whole, standing, strict=True)}
    shown = [whole[place] for place in ranks]
    there = {option.family for option in shown}
    others: dict[str, list[DesignNetwork]] = {}
    for option in pool.networks:
        if option.family not in there:
            others.setdefault(option.family, []).append(option)
    choices = [[one for one in own if one in front] or own for own in others.values()]
    best = [own[pool.merit([one.numbers for one in own])[0]] for own in choices]
    best = [best[place] for place in pool.merit([one.numbers for one in best])]
    found = [
        Reported(one, True, merged=[other for other in whole if front[other] == rank and other is not one])
        for rank, one in enumerate(shown, 1)
    ]
    for one in best:
        if one in front:
            found.append(Reported(one, True, f"within {tolerance:g}% of {front[one]}"))
        else:
            missed = missed_in_words(one.numbers, pool.request, sure=True)
            remark = missed or _beaten(pool, one, shown, front)
            unsure = pool.request.seconds is not None and one.family in pool.unsettled
            found.append(Reported(one, False, f"{remark}; not all measured" if unsure else remark))
    return found


def _beaten(
    pool: Pool, option: DesignNetwork, shown: Sequence[DesignNetwork], front: Mapping[DesignNetwork, int]
) -> str:
    """Which network of the front is at least as good in every respect; shown networks come first."""
    own = pool.vector(option.numbers)
    for other in (*shown, *front):
        if all(x <= y for x, y in zip(pool.vector(other.numbers), own, strict=True)):
            which = front[other] if other in shown else f"one behind {front[other]}"
            return f"{'equal to' if pool.vector(other.numbers) == own else 'beaten by'} {which}"
    return ""


def reason_for_nothing(pool: Pool, skipped: Mapping[str, str]) -> str:
    """Why no network is what is required: the nearest one, and what it lacks.

    Args:
        pool: all networks that were measured, and what is left.
        skipped: families that were not listed, with the reason.
    """
    late = in_all(pool.undecided) if pool.request.seconds else 0
    unlisted = [family for family, reason in skipped.items() if reason == NO_TIME]
    left = [f"{late:,} networks were not measured"] * bool(late)
    left += [f"{', '.join(unlisted)} not listed"] * bool(unlisted)
    return _nearest_of_none(pool, skipped) + (f"; {', and '.join(left)}: give more --seconds" if left else "")


def _nearest_of_none(pool: Pool, skipped: Mapping[str, str]) -> str:
    if pool.networks:
        best = pool.networks[pool.merit([one.numbers for one in pool.networks])[0]]
        name = best.topology if isinstance(best.topology, str) else best.family
        reason = missed_in_words(best.numbers, pool.request, sure=True)
        return f"no network is what is asked; nearest is {name}: {reason}"
    if pool.request.seconds and in_all(pool.undecided):
        return f"no network could be measured in --seconds {pool.request.seconds:g}"
    if pool.refused:  # these bounds do not exclude
        name, reason = next(iter(pool.refused.items()))
        return f"no network is what is asked: {name}: {reason}"
    if bounded := [one for own in pool.excluded.values() for one in own]:
        nearest, reason = bounded[pool.merit([one.numbers for one, _ in bounded])[0]]
        every = f"bounds exclude all {len(bounded):,}, even {nearest.name}"
        return f"no network is what is asked: {every}: {reason}"
    windows = ", ".join(f"{name.replace('_', ' ')} {one}" for name, one in pool.request.windows.items())
    room = f"; {skipped[GRID]}" if GRID in skipped else ""
    return f"no network with {windows}{room}"
