"""One name for every network: the least of the connection sets that automorphisms make of one."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from math import gcd

import numpy as np

from topoctl.families.cayley.network import Cayley

BLOCK = 2**20
"""Numbers that are held at a time."""
MAX_NAMES = 2**16
"""Where there are more renamings than these, those of v = 1 and w = 0 are tried alone."""


@lru_cache(maxsize=1024)  # a search asks for the names of its leaders again and again
def canonical_form(network: Cayley) -> tuple[int, ...]:
    """The least of the sorted connection sets that renamings of the group's elements make.

    The renamings are (a, b) to (u a + w (1 + r + ... + r^(b-1)), v b), u a unit modulo s, v one modulo t with
    r^v = r, for every w of which the whole sum w (1 + r + ... + r^(t-1)) is 0 modulo s: all are automorphisms
    of the group. Equal forms prove that two networks of a group are the same; different forms do not prove
    that they differ.

    Returns:
        The numbers of the connection set's elements, ascending.

    Example:
        >>> from topoctl.families.cayley.group import Group
        >>> canonical_form(Cayley(Group(7, 3, 2), ((2, 0), (3, 1))))
        (1, 6, 7, 14)
    """
    group = network.group
    a, b = np.array(network.connection_set, dtype=np.int64).reshape(-1, 2).T
    sums = np.concatenate([[0], np.cumsum(group.powers)]) % group.s
    u, v = np.arange(1, group.s + 1), np.arange(1, group.t + 1)
    units = u[np.gcd(u, group.s) == 1]
    turns = v[(np.gcd(v, group.t) == 1) & (group.powers[v % group.t] == group.powers[1 % group.t])]
    step = group.s // gcd(int(sums[-1]), group.s)
    shifts = np.arange(0, group.s, step, dtype=np.int64)
    if len(units) * len(shifts) * len(turns) > MAX_NAMES:
        shifts, turns = shifts[:1], turns[:1]
    least: tuple[int, ...] | None = None
    rows = max(1, BLOCK // max(1, len(a)))
    for shift, turn in product(shifts.tolist(), turns.tolist()):
        layers = group.s * (turn * b % group.t)
        for first in range(0, len(units), rows):
            renamed = (units[first : first + rows, None] * a + shift * sums[b]) % group.s + layers
            renamed.sort(axis=1)
            for column in range(renamed.shape[1]):
                if len(renamed) == 1:
                    break
                renamed = renamed[renamed[:, column] == renamed[:, column].min()]
            name = tuple(renamed[0].tolist())
            least = name if least is None else min(least, name)
    assert least is not None  # 1 is a unit
    return least
