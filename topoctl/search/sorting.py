"""Sort keys: quantities of networks, a minus before one for largest first."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from topoctl.errors import InvalidParameters, hint, quoted
from topoctl.search.enumeration.windows import Number


def parse_sort(text: str, sortable: Sequence[str]) -> tuple[str, ...]:
    """Sort keys separated by commas; a minus before one puts the largest first.

    Raises:
        InvalidParameters: a key is not one of the sortable ones.

    Example:
        >>> parse_sort("diameter, -router-radix", ["diameter", "router_radix"])
        ('diameter', '-router_radix')
    """
    keys = []
    for word in text.split(","):
        sign = "-" if word.strip().startswith("-") else ""
        name = word.strip().removeprefix("-").replace("-", "_")
        if name not in sortable:
            expected = f"; expected one of {', '.join(sortable)}, with - for largest first"
            raise InvalidParameters(
                f"sort key {quoted(word.strip())} is unknown{hint(name, sortable) or expected}"
            )
        keys.append(sign + name)
    return tuple(keys)


def sort_key(
    sort: Sequence[str], least: Mapping[str, Number], most: Mapping[str, Number]
) -> tuple[Number, ...]:
    """Where a network belongs at best, by the least and the largest value that its quantities can have.

    What nobody knows comes last in either order.

    Example:
        >>> sort_key(["diameter", "-order"], {"diameter": 3}, {"diameter": 4})
        (3, inf)
    """
    return tuple(
        -most.get(key[1:], -math.inf) if key.startswith("-") else least.get(key, math.inf) for key in sort
    )
