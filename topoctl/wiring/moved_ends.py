"""The fewest ends of cables to move until all is wired as planned.

A wrong cable that has one end where a planned one has it is that cable, with its other end misplaced: as many
as possible are told so, by a maximum matching. The kinds of differences are those of ibtopodiff.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

import numpy as np

End = tuple[str, int]
"""A system and its port; port 0 where ports are not told."""
Cable = tuple[End, End]
MISSING, EXTRA, NODE, PORT, EXCHANGED, BOTH, WIDTH, SPEED, NO_SYSTEM, NEW_SYSTEM = (
    *("missing cable", "extra cable", "wrong node", "wrong port", "exchanged ends", "both ends wrong"),
    *("wrong width", "wrong speed", "missing system", "extra system"),
)


class Difference(NamedTuple):
    """A difference, and what to do about it.

    Attributes:
        kind: in the words of ibtopodiff.
        cable: its number in the plan; None where the plan has none.
        planned: both of its ends in the plan.
        found: where it is.
        action: what a technician does.
        moved: ends of cables that are moved by it.
    """

    kind: str
    cable: int | None
    planned: tuple[str | None, str | None]
    found: str | None
    action: str
    moved: int = 0

    def row(self) -> dict[str, Any]:
        """By the names of fields."""
        return {
            "kind": self.kind,
            "cable": self.cable,
            "from": self.planned[0],
            "to": self.planned[1],
            "found": self.found,
            "action": self.action,
        }


def differences_of(
    planned: Mapping[int, Cable], wired: Sequence[Cable], said: Callable[[End], str]
) -> list[Difference]:
    """What to do about every cable that is not as planned, with the fewest ends to move.

    Args:
        planned: cables of the plan, by number.
        wired: cables that were found, their systems called as in the plan.
        said: an end in words.

    Returns:
        By the number of the cable, those that no plan has last.
    """
    left = Counter(wired)
    wanted: dict[int, Cable] = {}
    for number, cable in planned.items():
        if left[cable]:
            left[cable] -= 1
        else:
            wanted[number] = cable
    wrong = [*left.elements()]
    pairs = _paired(wanted, wrong)
    lost = [number for number in wanted if number not in pairs]
    spare = [wrong[place] for place in sorted({*range(len(wrong))} - {*pairs.values()})]
    found = [
        *_moved({number: (wanted[number], wrong[place]) for number, place in pairs.items()}, said),
        *_left(lost, wanted, spare, said),
    ]
    return sorted(found, key=lambda one: (one.cable is None, one.cable or 0))


def _moved(pairs: Mapping[int, tuple[Cable, Cable]], said: Callable[[End], str]) -> Iterator[Difference]:
    """The cables that have one end where it is planned; two whose other ends are exchanged are one."""
    moves: dict[int, tuple[End, End, End]] = {}
    going = defaultdict[tuple[End, End], list[int]](list)
    for number, (planned, found) in pairs.items():
        stays = next(end for end in planned if end in found)
        goal, now = (cable[cable[0] == stays] for cable in (planned, found))
        moves[number] = stays, now, goal
        going[now, goal].append(number)
    done = set[int]()
    for number, (stays, now, goal) in moves.items():
        if number in done:
            continue
        ends = said(pairs[number][0][0]), said(pairs[number][0][1])
        at = f"{said(stays)} – {said(now)}"
        partner = next((one for one in going[goal, now] if one not in done and one != number), None)
        if partner is None:
            kind = PORT if now[0] == goal[0] else NODE
            action = f"move the end of cable {number} from {said(now)} to {said(goal)}"
            yield Difference(kind, number, ends, at, action, 1)
        else:
            done.add(partner)
            action = f"exchange the ends of cables {number} and {partner} at {said(now)} and {said(goal)}"
            yield Difference(EXCHANGED, number, ends, at, action, 2)
        done.add(number)


def _left(
    lost: Sequence[int], wanted: Mapping[int, Cable], spare: Sequence[Cable], said: Callable[[End], str]
) -> Iterator[Difference]:
    """Planned cables of which no end is right, and found ones that no planned one has an end of."""
    for number, cable in zip_longest(lost, spare):
        at = None if cable is None else f"{said(cable[0])} – {said(cable[1])}"
        if number is None:
            yield Difference(EXTRA, None, (None, None), at, f"unplug the cable {at}")
            continue
        first, second = (said(end) for end in wanted[number])
        if at is None:
            action = f"plug a cable from {first} to {second}"
            yield Difference(MISSING, number, (first, second), None, action)
        else:
            action = f"move both ends of the cable {at} to {first} and {second}"
            yield Difference(BOTH, number, (first, second), at, action, 2)


def _paired(wanted: Mapping[int, Cable], wrong: Sequence[Cable]) -> dict[int, int]:
    """As many planned cables as possible, by number, each with a wrong one that shares an end, by place."""
    at: dict[End, list[int]] = defaultdict(list)
    for place, cable in enumerate(wrong):
        for end in cable:
            at[end].append(place)
    numbers = [*wanted]
    shared = [
        (row, place)
        for row, number in enumerate(numbers)
        for end in wanted[number]
        for place in at.get(end, ())
    ]
    if not shared:
        return {}

    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    rows, columns = np.array(shared).T
    ones = np.ones(len(rows), dtype=np.int32)
    table = csr_array((ones, (rows, columns)), shape=(len(numbers), len(wrong)))
    matched = maximum_bipartite_matching(table, perm_type="column")
    return {number: int(place) for number, place in zip(numbers, matched, strict=True) if place >= 0}
