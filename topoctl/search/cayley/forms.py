"""Forms of a Cayley network: its group, and how many of its generators are their own inverses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from topoctl.errors import Infeasible
from topoctl.families.cayley.group import Group, groups_of_order
from topoctl.search.cayley.request import CayleyRequest

MOST_LAYERS = 2
"""Groups of more than so many times s layers, of few routers each, were never among the best."""


@dataclass(frozen=True)
class Form:
    """What networks of one population have in common.

    Attributes:
        group: whose elements are the routers.
        pairs: generators that stand for themselves and their inverses.
        involutions: generators that are their own inverses.
    """

    group: Group
    pairs: int
    involutions: int

    @property
    def length(self) -> int:
        """Generators in all."""
        return self.pairs + self.involutions

    @property
    def has_choice(self) -> bool:
        """Whether there is more than one network of this form."""
        twins = (self.group.order - 1 - len(self.group.involutions)) // 2
        return 0 < self.pairs < twins or 0 < self.involutions < len(self.group.involutions)


def forms_of(request: CayleyRequest) -> list[Form]:
    """The forms worth a try for a request, at least one; none twice, and those of the likeliest groups first.

    The number of involutions is the least that k' and the group leave, two more, or the most: where many of
    them make short cycles, few are better, but the dihedral groups have little else.

    Raises:
        Infeasible: no network of these orders has so many links, since an odd k' takes an involution, and
            groups of odd order have none.

    Example:
        >>> [(form.pairs, form.involutions) for form in forms_of(CayleyRequest(14, 5, group=(7, 2, 6)))]
        [(2, 1), (1, 3), (0, 5)]
    """
    if request.group is not None:
        groups = [Group(*request.group)]
    else:
        every = (group for order in request.orders for group in groups_of_order(order))
        groups = [group for group in every if group.t <= MOST_LAYERS * group.s]
        groups.sort(key=lambda group: group.commuting)
    found = [form for group in groups for form in _forms(group, request.network_radix)]
    if not found:
        raise Infeasible(
            f"no Cayley network of {request.order} routers has {request.network_radix} links each: expected "
            "an even number of routers, or of links"
        )
    return found


def _forms(group: Group, radix: int) -> Iterator[Form]:
    single = len(group.involutions)
    twins = (group.order - 1 - single) // 2
    least = max(radix % 2, radix - 2 * twins)
    most = min(single, radix)
    most -= (most - radix) % 2
    for involutions in sorted({least, least + 2, most}):
        if least <= involutions <= most:
            yield Form(group, (radix - involutions) // 2, involutions)
