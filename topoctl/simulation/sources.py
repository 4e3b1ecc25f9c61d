"""When endpoints make packets, and how long these are: chances, bursts, and mixes of sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import isqrt, log
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.simulation.request import Sizes

WHOLE_DRAW = 2**64
GAP_STEPS = 64
"""Cycles without a packet for which the chance is in a row, at least."""
MOST_GAP_STEPS = 2**16
BURST_ONE = 2**128
"""Chances of bursts are whole multiples of one over this."""
DIGITS = 2**60
"""Rates are rounded to this denominator, far beyond those of floating point, where they have more digits."""


@dataclass(frozen=True)
class Sources:
    """How endpoints make packets.

    Attributes:
        sizes: flits of packets, and the share of the packets that have so many.
        burst: mean cycles for which a source is on and makes packets as it would at load 1, before it is off
            for as long as its load needs; None for a chance that is the same in every cycle. Where that takes
            more than a change in every cycle, it is on for longer.
    """

    sizes: Sizes = ((1, Fraction(1)),)
    burst: Fraction | None = None

    @property
    def mean_flits(self) -> Fraction:
        """Mean flits of a packet.

        Example:
            >>> Sources(((1, Fraction(1, 2)), (5, Fraction(1, 2)))).mean_flits
            Fraction(3, 1)
        """
        return sum((flits * share for flits, share in self.sizes), Fraction(0))

    def chances(self, load: Fraction) -> Chances:
        """Return the chances of a source that sends so many flits a cycle, 1 at most."""
        sends = 1 / self.mean_flits
        if self.burst is None or load == 1:
            return Chances(load * sends)
        turns_on = load / (1 - load) / self.burst
        if turns_on <= 1:
            return Chances(sends, turns_on, 1 / self.burst, load)
        return Chances(sends, Fraction(1), (1 - load) / load, load)

    def size_fields(self) -> dict[str, Any]:
        """Return the fields of a plan that tell the sizes of packets."""
        flits, shares = zip(*self.sizes, strict=True)
        return {"sizes": np.array(flits, dtype=np.int32), "size_shares": last_draws(shares)}


STEADY = Sources()
"""Packets of one flit, made with the same chance in every cycle."""


class Chances(NamedTuple):
    """What a source does in a cycle: it may be turned on or off, and then makes a packet or not, if it is on.

    Attributes:
        sends: chance of a packet while it is on.
        turns_on: chance that a source that is off is turned on.
        turns_off: that one that is on is turned off; 0 for sources that are always on.
        begins: chance that it is on before its first cycle.
    """

    sends: Fraction
    turns_on: Fraction = Fraction(1)
    turns_off: Fraction = Fraction(0)
    begins: Fraction = Fraction(1)


class Gaps(NamedTuple):
    """The cycles that sources let pass before they make a packet, as a plan has them.

    Attributes:
        gaps: uint64, shape (rows, steps): entry k is floor(2^64 · P(gap <= k)) - 1, or 0 where that is less.
        longer: int32, shape (rows,): the row by which a gap goes on that is longer than a row.
        after: int32, shape (rows,): the row of the gap after the packet.
        first: int32, shape (sources,): the row of the first gap.
    """

    gaps: NDArray[np.uint64]
    longer: NDArray[np.int32]
    after: NDArray[np.int32]
    first: NDArray[np.int32]

    def fields(self) -> dict[str, Any]:
        """Return those that a plan has by the same names."""
        return {"gaps": self.gaps, "longer": self.longer, "after": self.after}


def gaps_of(sources: Sequence[Chances], least_steps: int = GAP_STEPS) -> Gaps:
    """Return the gaps of several sources.

    A source is on as it makes a packet, so that all gaps but the first begin alike. The longer a gap is, the
    less it matters how it began: from some step on, the chance of a packet is the same in every cycle.

    Args:
        sources: each with chances by which it sends.
        least_steps: of a row.

    Raises:
        InvalidParameters: bursts so rare that it would take too many steps.

    Example:
        >>> found = gaps_of([Chances(Fraction(1, 2)), Chances(Fraction(1), Fraction(1, 4), Fraction(1, 2))])
        >>> found.first.tolist(), found.longer.tolist(), found.after.tolist()
        ([0, 1], [0, 3, 3, 3], [0, 2, 2, 2])
        >>> [int(row[0]) + 1 == 2**63 for row in found.gaps[:3]]
        [True, True, True]
    """
    steps = max([least_steps, *(_steps(one) for one in sources if one.turns_off)])
    rows: list[NDArray[np.uint64]] = []
    longer, after, first = list[int](), list[int](), list[int]()
    for one in sources:
        here = len(rows)
        first.append(here)
        if one.turns_off:
            rows += [_burst_row(one, one.begins, steps), _burst_row(one, Fraction(1), steps)]
            rows.append(gap_row(1 - Fraction(_slowest(one)[0], BURST_ONE), steps))
            longer += [here + 2] * 3
            after += [here + 1] * 3
        else:
            rows.append(gap_row(one.sends, steps))
            longer.append(here)
            after.append(here)
    return Gaps(np.stack(rows), *(np.array(numbers, dtype=np.int32) for numbers in (longer, after, first)))


def gap_row(rate: Fraction, steps: int = GAP_STEPS) -> NDArray[np.uint64]:
    """Return the chances that a source passes by 0, 1, … cycles at most before it makes a packet.

    Args:
        rate: packets a cycle, 0 <= rate <= 1.
        steps: numbers of cycles that are told apart; longer gaps are drawn in parts.

    Returns:
        uint64, shape (steps,): floor(2^64 · P(gap <= k)) - 1, or 0 where that is less.

    Example:
        >>> [int(share) for share in gap_row(Fraction(1, 2))[:2]] == [2**63 - 1, 2**63 + 2**62 - 1]
        True
    """
    rate = rate if rate.denominator <= DIGITS else Fraction(round(rate * DIGITS), DIGITS)
    whole, passed = rate.denominator, rate.denominator - rate.numerator
    shares, tried, left = [], 1, 1
    for _ in range(steps):
        tried, left = tried * whole, left * passed
        shares.append(max(0, ((tried - left) << 64) // tried - 1))
    return np.array(shares, dtype=np.uint64)


def _burst_row(source: Chances, begins: Fraction, steps: int) -> NDArray[np.uint64]:
    """The same for a source that is turned on and off, and that is on before the first cycle by chance."""
    turns_on, turns_off, passes = (
        round(chance * BURST_ONE) for chance in (source.turns_on, source.turns_off, 1 - source.sends)
    )
    on = round(begins * BURST_ONE)
    off = BURST_ONE - on
    shares: list[int] = []
    for _ in range(steps):
        stays, comes = on * (BURST_ONE - turns_off), off * turns_on
        off = (on * turns_off + off * (BURST_ONE - turns_on)) // BURST_ONE
        on = (stays + comes) // BURST_ONE * passes // BURST_ONE
        shares.append(max(0, WHOLE_DRAW - 1 - ((on + off) * WHOLE_DRAW // BURST_ONE)))
    return np.array(shares, dtype=np.uint64)


def _slowest(source: Chances) -> tuple[int, int]:
    """Return the eigenvalues of a cycle without a packet, as shares of BURST_ONE, the larger one first."""
    on = round((1 - source.sends) * (1 - source.turns_off) * BURST_ONE)
    off = round((1 - source.turns_on) * BURST_ONE)
    both = round((1 - source.sends) * source.turns_on * source.turns_off * BURST_ONE)
    root = isqrt((on - off) ** 2 + 4 * both * BURST_ONE)
    return (on + off + root) // 2, (on + off - root) // 2


def _steps(source: Chances) -> int:
    """Return after how many cycles it no longer matters whether a source was on: a power of two."""
    slow, fast = _slowest(source)
    steps = GAP_STEPS
    while steps <= MOST_GAP_STEPS:
        if not fast or steps * log(slow / abs(fast)) > log(WHOLE_DRAW):
            return steps
        steps *= 2
    raise InvalidParameters(
        f"bursts of which it matters for more than {MOST_GAP_STEPS} cycles how they began"
    )


def last_draws(shares: Sequence[Fraction | int]) -> NDArray[np.uint64]:
    """Return the last draw of 64 bits that falls to each of several shares of their sum.

    Example:
        >>> [int(draw) for draw in last_draws([1, 3])] == [2**62 - 1, 2**64 - 1]
        True
    """
    total = sum(shares)
    # One of no weight before all others would still have the draw 0.
    ends = [max(0, int(WHOLE_DRAW * above // total) - 1) for above in accumulate(shares)]
    return np.array(ends, dtype=np.uint64)
