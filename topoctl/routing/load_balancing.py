"""LBR: paths in shares that make their queues alike. Jeon et al., IEEE Access 2022, III-C2."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters


def balanced_shares(queues: Sequence[float] | NDArray[np.floating], packets: float) -> NDArray[np.float64]:
    """The probability of every path, so that queues are alike when some packets have been sent.

    Eq. 9 leaves out the paths whose queues are no shorter than what all would then have, and eq. 10 shares
    packets out over the others. The paper does so once; the mean of those that are left is smaller, and a
    path above it would get a negative probability, so this is repeated until none goes. Eq. 9 prints the
    source's queue where its rate of packets has to stand.

    Args:
        queues: packets that wait along every path: shape (paths,).
        packets: that the source sends in an interval, the paper's lambda times T.

    Returns:
        float64, shape (paths,): they add up to 1; 0 of paths that are left out.

    Raises:
        InvalidParameters: no path, a negative queue, no packets, or a number that is none.

    Example:
        >>> balanced_shares([0, 10, 40], packets=50).tolist()
        [0.6, 0.4, 0.0]
        >>> balanced_shares([0, 10, 100], packets=1).tolist()
        [1.0, 0.0, 0.0]
    """
    waiting = np.asarray(queues, dtype=np.float64)
    if waiting.ndim != 1 or not len(waiting) or not np.isfinite(waiting).all() or (waiting < 0).any():
        raise InvalidParameters(f"queues {queues!r}: expected one number of 0 or more for every path")
    if not 0 < packets < np.inf:
        raise InvalidParameters(f"packets {packets!r}: expected more than 0")
    kept = np.ones(len(waiting), dtype=np.bool_)
    while True:
        afterwards = (packets + waiting[kept].sum()) / kept.sum()
        busy = kept & (waiting >= afterwards)
        if not busy.any():
            return np.where(kept, (afterwards - waiting) / packets, 0.0)
        kept &= ~busy
