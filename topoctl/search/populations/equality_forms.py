"""Forms of an Equality network: how S_B is built, and what S_A starts from.

The form matters more than the optimiser. A whole subgroup of even residues wastes no two-hop words on routers
that one even hop reaches; an interval of even hops does nearly the same in orders without a fitting divisor;
few random hops win where N K is small.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from topoctl.families.equality.bounds import Split, splits, word_counts
from topoctl.search.draws import Draws
from topoctl.search.populations.equality_request import EqualityRequest
from topoctl.search.populations.state import Individual

RANDOM_SPLITS, INTERVALS, SUBGROUPS, MARKED = 4, 2, 6, 4
MOST_FORMS = RANDOM_SPLITS + INTERVALS + SUBGROUPS + MARKED
HOPELESS = 16
"""A split that leaves so many times as many routers unreached as the best one ranks behind those below."""


@dataclass(frozen=True)
class EqualityForm:
    """One way to share out the ports. All hops are half-indices in Z_H: t of 2t + 1, b of 2b.

    Attributes:
        name: for people.
        half: H = N/2.
        lengths: |S_A| and |S_B|.
        fixed: the odd halves that never move, the ring's -1 and 0 first; and the even ones.
        modulus: n = H/m where S_B is the subgroup of order m: odd halves are alike modulo n. 0 for none.
        marks: residues modulo n that S_A starts from, with random multiples of n.
    """

    name: str
    half: int
    lengths: tuple[int, int]
    fixed: tuple[tuple[int, ...], tuple[int, ...]]
    modulus: int = 0
    marks: tuple[int, ...] = ()

    @property
    def exchangeable(self) -> tuple[int, int]:
        """How many odd and even hops there are others for; (0, 0) where the form is one network."""
        odd, even = (length - len(own) for length, own in zip(self.lengths, self.fixed, strict=True))
        return odd if self.lengths[0] < self.half else 0, even if even < (self.half - 1) // 2 else 0

    @property
    def space(self) -> tuple[int, int]:
        """Networks with other numbers of hops are never the same."""
        return self.lengths

    @property
    def order(self) -> int:
        """Routers."""
        return 2 * self.half

    def founder(self, draws: Draws) -> Individual:
        """Return a random network; S_A starts from the marks where there are some."""
        odd, even = [*self.fixed[0]], [*self.fixed[1]]
        residues = {t % self.modulus for t in odd} if self.marks else set()
        lifted = [residue for residue in self.marks if residue not in residues]
        odd += [residue + self.modulus * draws.below(self.half // self.modulus) for residue in lifted]
        taken = set(odd)
        while len(odd) < self.lengths[0]:
            odd.append(self.other(0, taken, draws))
            taken.add(odd[-1])
        while len(even) < self.lengths[1]:
            even.append(self.other(1, even, draws))
        return Individual((odd, even))

    def other(self, kind: int, own: Collection[int], draws: Draws) -> int:
        """Return a half that a network does not have yet."""
        return draws.other(kind, (self.half - 1) // 2 if kind else self.half - 1, own)


def forms_of(request: EqualityRequest, diameter: int) -> list[EqualityForm]:
    """The forms worth a try for a request, at least one; none twice.

    Args:
        request: order, radix, and what of S_A and S_B is given.
        diameter: that the search aims at.

    Example:
        >>> request = EqualityRequest(order=1400, network_radix=60)
        >>> [form.name for form in forms_of(request, diameter=2)][:4]
        ['random 11 and N/2', 'random 12', 'random 11', 'random 12 and N/2']
    """
    half = request.order // 2
    fixed_odd = tuple(dict.fromkeys([half - 1, 0, *(hop % request.order // 2 for hop in request.fixed_odd)]))
    drafts = _given(request, diameter) if request.fixed_even is not None else _drafts(request, diameter)
    forms: dict[tuple[object, ...], EqualityForm] = {}
    for name, fixed_even, free_even, modulus, marks in drafts:
        ports = 2 * (len(fixed_even) + free_even) - (2 * fixed_even[-1] == half if fixed_even else 0)
        odd_length = request.network_radix - ports
        if not max(len(fixed_odd), len(marks)) <= odd_length <= half:
            continue
        lengths = odd_length, len(fixed_even) + free_even
        form = EqualityForm(name, half, lengths, (fixed_odd, fixed_even), modulus, marks)
        forms.setdefault((fixed_even, free_even, marks), form)
    return list(forms.values())


Draft = tuple[str, tuple[int, ...], int, int, tuple[int, ...]]


def _given(request: EqualityRequest, diameter: int) -> Iterator[Draft]:
    even = tuple(sorted(hop // 2 for hop in request.fixed_even or ()))
    half = request.order // 2
    orders = [m for m in _divisors(half, request.network_radix) if _subgroup(half, m) == even]
    yield "given", even, 0, half // orders[0] if orders else 0, ()
    yield from _marked(request, orders, diameter)


def _drafts(request: EqualityRequest, diameter: int) -> Iterator[Draft]:
    half = request.order // 2
    ranked = _ranked(request)
    for split in ranked[:RANDOM_SPLITS]:
        yield f"random {_count(split)}", _opposite(half, split), split.even, 0, ()
    for split in ranked[:INTERVALS]:
        hops = tuple(range(1, split.even + 1)) + _opposite(half, split)
        yield f"interval {_count(split)}", hops, 0, 0, ()
    usual = 2 * ranked[0].even + 1
    orders = [
        m for m in _divisors(half, request.network_radix) if _wanted(request, _subgroup_split(m, request))
    ]
    likely = [m for m in orders if usual // 2 <= m <= 3 * usual // 2 + 5]
    for m in sorted(likely, key=lambda m: abs(m - usual))[:SUBGROUPS]:
        yield f"subgroup {m}", _subgroup(half, m), 0, half // m, ()
    yield from _marked(request, orders, diameter)


def _ranked(request: EqualityRequest) -> list[Split]:
    """The splits that leave the fewest routers unreached, best first, as far as forms are made of them."""
    best: list[tuple[float, int, Split]] = []
    for place, split in enumerate(splits(request.order, request.network_radix)):
        if _wanted(request, split):
            most = best[-1][0] if len(best) == RANDOM_SPLITS else HOPELESS * best[0][0] if best else math.inf
            best.append((expected_unreached(request.order, split, most), place, split))
            best = sorted(best)[:RANDOM_SPLITS]
    return [split for _, _, split in best]


def _marked(request: EqualityRequest, orders: list[int], diameter: int) -> Iterator[Draft]:
    """Subgroups with an S_A whose residues alone bring the routers of one parity within the diameter.

    Within two hops every odd router is an odd hop and a step of the subgroup away when S_A covers all
    residues; within three every even router is when the differences of S_A do.
    """
    half = request.order // 2
    drafts: list[Draft] = []
    for m in orders if not request.fixed_odd else []:
        step = half // m
        if diameter == 2:
            marks = tuple(range(step))
        elif diameter == 3:
            marks = tuple(sorted({(mark - 1) % step for mark in wichmann_marks(step // 2)}))
        else:
            break
        if len(marks) <= request.network_radix - (m - 1):
            drafts.append((f"subgroup {m} marked", _subgroup(half, m), 0, step, marks))
    yield from drafts[:MARKED]


def _count(split: Split) -> str:
    return f"{split.even} and N/2" if split.opposite else str(split.even)


def _opposite(half: int, split: Split) -> tuple[int, ...]:
    return (half // 2,) if split.opposite else ()


def _wanted(request: EqualityRequest, split: Split) -> bool:
    fits = request.even_hops is None or split.even + split.opposite == request.even_hops
    return fits and split.odd >= request.least_odd


def _subgroup(half: int, order: int) -> tuple[int, ...]:
    return tuple(j * (half // order) for j in range(1, order // 2 + 1))


def _subgroup_split(order: int, request: EqualityRequest) -> Split:
    return Split(request.network_radix - (order - 1), (order - 1) // 2, order % 2 == 0)


def _divisors(half: int, below: int) -> list[int]:
    return [m for m in range(2, min(half, below) + 1) if half % m == 0]


def expected_unreached(order: int, split: Split, most: float = math.inf) -> float:
    """A guess, good for ranking, of the routers that random hops leave unreached, summed over distances.

    Words fall on routers like balls into bins; 1.3 makes up for what the optimisation wins over chance. What
    is above `most` is counted no further: splits of few hops would take as many steps as a ring has routers.
    """
    half, unreached = order // 2, 0.0
    for words in word_counts(order, split):
        unreached += sum(half * math.exp(-1.3 * count / half) for count in words)
        if unreached > most:
            break
    return unreached


def wichmann_marks(length: int) -> list[int]:
    """The marks of the shortest Wichmann ruler that measures every distance up to `length`.

    With S_B a whole subgroup of m even residues, all even routers lie within three hops when the odd hops
    differ by every residue modulo n = H/m. A ruler of length n/2 has such marks, and hardly more than needed.

    The gaps are 1^r, r+1, (2r+1)^r, (4r+3)^s, (2r+2)^(r+1), 1^r. Wichmann, J. London Math. Soc. 38 (1963).

    Args:
        length: 0 or more.

    Returns:
        Ascending marks from 0, 1.

    Example:
        >>> marks = wichmann_marks(36)
        >>> marks
        [0, 1, 3, 6, 13, 20, 27, 31, 35, 36]
        >>> len({b - a for a in marks for b in marks if b > a})
        36
    """
    best: tuple[int, int, int] | None = None
    for r in range(1, length + 2):
        s = max(0, -(-(length - 4 * r * (r + 2) - 3) // (4 * r + 3)))
        if best is not None and 4 * r + 3 >= best[0]:
            break
        best = min(best or (4 * r + s + 3, r, s), (4 * r + s + 3, r, s))
    assert best is not None  # r = 1 is always tried
    _, r, s = best
    gaps = [1] * r + [r + 1] + [2 * r + 1] * r + [4 * r + 3] * s + [2 * r + 2] * (r + 1) + [1] * r
    marks = [0]
    for gap in gaps:
        marks.append(marks[-1] + gap)
    return marks
