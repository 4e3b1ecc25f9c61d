"""Wichmann rulers: few marks that measure every length, so few hops whose differences are everything.

With S_B a whole subgroup of m even residues, all even routers lie within three hops when the odd hops differ
by every residue modulo n = H/m. A ruler of length n/2 has such marks, and hardly more than are needed.
"""

from __future__ import annotations


def wichmann_marks(length: int) -> list[int]:
    """The marks of the shortest Wichmann ruler that measures every distance up to `length`.

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
