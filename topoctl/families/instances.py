"""Lattices: the instances of a family in an order that lets an enumeration stop."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sized
from itertools import count, takewhile
from typing import Any

from topoctl.errors import InvalidParameters
from topoctl.families.record import Lattice, Parameters, Within
from topoctl.families.spec import MAX_SIZES

Axis = Callable[[dict[str, Any]], Iterable[Any]]

FAR = (2**30, 3**19, 5**13, 2**31 - 1)
"""Values far out on an axis: a family that needs a prime, or a prime power, odd or even, has one there."""


def axes(**values: int | Axis) -> Lattice:
    """Nested loops over integer parameters, the first one outermost.

    A loop ends where even the smallest choice of the parameters after it is not within the windows, which is
    right for lower bounds that no parameter makes smaller (:attr:`topoctl.families.record.Family.least`).

    Args:
        values: the first value of each parameter, which then counts upward without end; or the rule that
            gives its values, at least one and integers ascending, from the parameters before it.

    Example:
        >>> pairs = axes(a=1, b=lambda known: count(known["a"]))
        >>> [tuple(known.values()) for known in pairs(lambda a, b: a * b < 5, range(0))]
        [(1, 1), (1, 2), (1, 3), (1, 4), (2, 2)]
    """
    rules = {name: value if callable(value) else _counting(value) for name, value in values.items()}
    names = tuple(rules)

    def complete(known: dict[str, Any]) -> dict[str, Any]:
        full = dict(known)
        for name in names[len(known) :]:
            full[name] = next(iter(rules[name](full)))
        return full

    def walk(within: Within, known: dict[str, Any]) -> Iterator[Parameters]:
        if len(known) == len(names):
            yield known
            return
        name = names[len(known)]
        choices = rules[name](known)
        if not isinstance(choices, Sized):
            _refuse_endless(name, (within(**complete(known | {name: value})) for value in FAR))
        for value in choices:
            longer = known | {name: value}
            if not within(**complete(longer)):
                return
            yield from walk(within, longer)

    return lambda within, orders: walk(within, {})  # noqa: ARG005


def _counting(start: int) -> Axis:
    """The axis of all integers from a start."""
    return lambda known: count(start)  # noqa: ARG005


def _refuse_endless(name: str, within: Iterable[bool | None]) -> None:
    """Raise InvalidParameters where a parameter is still within the windows far out, buildable or not."""
    if all(place is not False for place in within):
        raise InvalidParameters(
            f"the window lets {name} grow without end: expected an upper bound on order, endpoints or links"
        )


def sizes_lattice(within: Within, orders: range, prefix: tuple[int, ...] = ()) -> Iterator[Parameters]:
    """Tuples ``dims`` of sizes 2 and more, none larger than the one before it.

    Their product is at least the least order, and some multiple of it is one of the orders.

    Example:
        >>> small = lambda dims: dims[0] < 9 and len(dims) < 3
        >>> [known["dims"] for known in sizes_lattice(small, range(4, 8))]
        [(2, 2), (3, 2), (4,), (5,), (6,), (7,)]
    """
    if len(prefix) == MAX_SIZES:
        return
    if not prefix:
        _refuse_endless("dims", (within(dims=(size,)) for size in FAR))
    values = _sizes_with_multiples(orders, math.prod(prefix), prefix[-1] if prefix else math.inf)
    for size in takewhile(lambda size: within(dims=(*prefix, size)), values):
        if math.prod(prefix) * size >= orders.start:
            yield {"dims": (*prefix, size)}
        yield from sizes_lattice(within, orders, (*prefix, size))


def _sizes_with_multiples(orders: range, product: int, most: float) -> Iterator[int]:
    """The sizes up to `most` whose multiples, times a product, are some of the orders.

    All sizes whose largest such multiple has the same factor are yielded at once, which is quick for few
    orders and for one large order.

    Example:
        >>> list(_sizes_with_multiples(range(60, 62), 2, 99)), list(_sizes_with_multiples(range(7, 8), 1, 99))
        ([2, 3, 5, 6, 10, 15, 30], [7])
    """
    least, largest = -(-orders.start // product), (orders.stop - 1) // product
    size = 2
    while size <= min(largest, most):
        factor = largest // size
        last = largest // factor
        yield from range(max(size, -(-least // factor)), int(min(last, most)) + 1)
        size = last + 1
