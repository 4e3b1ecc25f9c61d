"""Forms of a Cayley network: its group, and how many of its generators are their own inverses."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from topoctl.errors import Infeasible
from topoctl.families.cayley.group import Group, groups_of_order, primes_of
from topoctl.search.draws import Draws
from topoctl.search.populations.cayley_request import CayleyRequest
from topoctl.search.populations.state import Individual

MOST_LAYERS = 2
"""Groups of more than so many times s layers, of few routers each, were never among the best."""


@dataclass(frozen=True)
class CayleyForm:
    """What networks of one population have in common.

    Attributes:
        group: whose elements are the routers.
        pairs: generators that stand for themselves and their inverses.
        involutions: generators that are their own inverses.
    """

    group: Group
    pairs: int
    involutions: int
    fixed: ClassVar[tuple[tuple[int, ...], tuple[int, ...]]] = ((), ())
    modulus: ClassVar[int] = 0

    @property
    def lengths(self) -> tuple[int, int]:
        """The pairs and the involutions."""
        return self.pairs, self.involutions

    @property
    def exchangeable(self) -> tuple[int, int]:
        """How many of each there are others for; (0, 0) where the form is one network."""
        own = len(self.group.involutions)
        pairs = self.pairs if self.pairs < (self.group.order - 1 - own) // 2 else 0
        return pairs, self.involutions if self.involutions < own else 0

    @property
    def space(self) -> CayleyForm:
        """Names of networks are those of one group, and automorphisms take involutions to involutions."""
        return self

    @property
    def order(self) -> int:
        """Routers."""
        return self.group.order

    def founder(self, draws: Draws) -> Individual:
        """Return random generators."""
        found = Individual(([], []))
        for kind, length in enumerate(self.lengths):
            while len(found.generators[kind]) < length:
                found.generators[kind].append(self.other(kind, found.generators[kind], draws))
        return found

    def other(self, kind: int, own: Collection[int], draws: Draws) -> int:
        """Return a pair, by its lesser number, or an involution that a network does not have yet."""
        if kind:
            every = self.group.involutions
            place = draws.below(len(every) - len(own))
            for taken in sorted(bisect_left(every, x) for x in own):
                place += taken <= place
            return every[place]
        while True:
            x = 1 + draws.below(self.order - 1)
            inverse = self.inverse(x)
            if x != inverse and min(x, inverse) not in own:
                return min(x, inverse)

    def inverse(self, number: int) -> int:
        """Return the number of an element's inverse."""
        return self.group.number(self.group.inverse(self.group.element(number)))

    @property
    def may_connect(self) -> bool:
        """Whether so many generators suffice in the quotients of the group that tell at once: two pairs do.

        In the abelian ones of Z_p by Z_p a pair counts for one, an involution only where p is 2; in Z_p by
        Z_t, not abelian, it takes two that do not commute with everything.

        Example:
            >>> CayleyForm(Group(4, 4, 3), 1, 1).may_connect, CayleyForm(Group(4, 4, 3), 2, 0).may_connect
            (False, True)
        """
        if self.pairs >= 2:
            return True
        s, t, r = self.group.s, self.group.t, self.group.r
        parities = {(x % s % 2 * (1 - s % 2), x // s % 2 * (1 - t % 2)) for x in self.group.involutions}
        own = min(self.involutions, len(parities - {(0, 0)}), 2)
        for prime in primes_of(s * t):
            acts = s % prime == 0 and (r - 1) % prime > 0
            rank = (t % prime == 0) + (s % prime == 0 and not acts)
            if self.pairs + (own if prime == 2 else 0) < rank:
                return False
            inverts = t % 2 == 0 and pow(r, t // 2, prime) == prime - 1
            if acts and self.pairs + (self.involutions if inverts else 0) < 2:
                return False
        return True


def forms_of(request: CayleyRequest) -> list[CayleyForm]:
    """The forms worth a try for a request, at least one; none twice, and those of the likeliest groups first.

    The number of involutions is the least that k' and the group leave, two more, or the most: where many of
    them make short cycles, few are better, but the dihedral groups have little else.

    Raises:
        Infeasible: no network of these orders has so many links, since an odd k' takes an involution, and
            groups of odd order have none; or so few links connect none of the groups.

    Example:
        >>> [(form.pairs, form.involutions) for form in forms_of(CayleyRequest(14, 5, group=(7, 2, 6)))]
        [(2, 1), (1, 3), (0, 5)]
    """
    radix = request.network_radix
    if request.group is None:
        found = forms_of_orders(request.orders, radix)
    else:
        found = tuple(_forms(Group(*request.group), radix))
    if not found:
        odd = radix % 2 and all(order % 2 for order in request.orders)
        expected = "an even number of routers, or of links" if odd else "more links or another group"
        raise Infeasible(
            f"no Cayley network of {request.order} routers has {radix} links each: expected {expected}"
        )
    return [*found]


@lru_cache(maxsize=8)
def forms_of_orders(orders: range, radix: int) -> tuple[CayleyForm, ...]:
    """The forms of groups without too many layers, those where the fewest pairs of elements commute first."""
    every = (group for order in orders for group in groups_of_order(order))
    groups = [group for group in every if group.t <= MOST_LAYERS * group.s]
    groups.sort(key=lambda group: group.commuting)
    return tuple(form for group in groups for form in _forms(group, radix))


def _forms(group: Group, radix: int) -> Iterator[CayleyForm]:
    single = len(group.involutions)
    twins = (group.order - 1 - single) // 2
    least = max(radix % 2, radix - 2 * twins)
    most = min(single, radix)
    most -= (most - radix) % 2
    for involutions in sorted({least, least + 2, most}):
        form = CayleyForm(group, (radix - involutions) // 2, involutions)
        if least <= involutions <= most and form.may_connect:
            yield form
