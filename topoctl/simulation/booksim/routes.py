"""What the routing functions of all topologies are made of: numbered sets of options, and tables of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topoctl.kernels.simulation import OPTION

Fields = dict[str, Any]
"""Some of the fields of a plan, by their names."""
Ints = NDArray[np.int64]
Range = tuple[int, int]
"""The first and the last of some virtual channels."""

MOST_ROUTERS = 2**12
MOST_PLACES = 2**26
"""Tables have a place for every phase and pair of routers."""


class Wiring(NamedTuple):
    """A network: the fields of a plan that tell what is connected to what, of these names and meanings."""

    ends: NDArray[np.int32]
    delays: NDArray[np.int32]
    entries: NDArray[np.int32]


class Option(NamedTuple):
    """One of the options of a set, all as likely, with a port and a channel to escape to."""

    port: int
    first: int
    last: int
    phase: int = 0
    below: int = 0
    phase_below: int = 0
    escape_port: int = -1
    escape_channel: int = -1


class Sets:
    """Sets of options, each numbered once."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[Option, ...], int] = {}

    def number(self, *options: Option) -> int:
        """Return the number of a set."""
        return self._numbers.setdefault(options, len(self._numbers))

    def numbers(self, cases: Ints, options: Callable[[int], tuple[Option, ...]]) -> Ints:
        """Return the number of the set of every case; `options` tells what a case may do."""
        kinds, places = np.unique(cases, return_inverse=True)
        return np.array([self.number(*options(int(kind))) for kind in kinds], dtype=np.int64)[places].reshape(
            cases.shape
        )

    def fields(self, tables: list[Ints]) -> Fields:
        """Return `table` and `options` of a plan with a phase for every table."""
        rows = [
            (*option[:6], 2**32 * (place + 1) // len(options) - 1)
            for options in self._numbers
            for place, option in enumerate(options)
        ]
        escapes = np.array([option[6:] for options in self._numbers for option in options], dtype=np.int32)
        begins = np.cumsum([0, *map(len, self._numbers)])
        return {
            "table": begins[np.array(tables)].astype(np.uint16 if len(rows) < 2**16 else np.uint32),
            "options": np.array(rows, dtype=OPTION),
            **({"escapes": escapes} if (escapes >= 0).any() else {}),
        }


def routing_fields(
    sets: Sets,
    tables: list[Ints],
    arrival: list[Range],
    channels: int,
    more: Fields | None = None,
    *,
    choice: list[int] | None = None,
    start: Range = (0, 0),
    turn: list[int] | None = None,
) -> Fields:
    """Return the fields of a plan that tell its routing.

    Args:
        sets: the options.
        tables: for each phase the number of a set, by router and target.
        arrival: for each phase, the virtual channels on the way out.
        channels: of every port; sources send in all of them.
        more: fields.
        choice: for each phase, how an option is chosen; by a draw where None.
        start: the phases of packets that go straight, and of those that do not.
        turn: for each phase the one after the intermediate router; the same where None.
    """
    phases = range(len(tables))
    return {
        **sets.fields(tables),
        "choice": np.array(choice or [0 for _ in phases], dtype=np.int32),
        "arrival": np.array(arrival, dtype=np.int32),
        "entry": np.array([0, channels - 1], dtype=np.int32),
        "start": np.array(start, dtype=np.int32),
        "turn": np.array(turn or [*phases], dtype=np.int32),
        **(more or {}),
    }


def one_port(ports: Ints, channels: int) -> Fields:
    """Return the fields of the routing that takes the port of a table, in any virtual channel."""
    sets, every = Sets(), (0, channels - 1)
    return routing_fields(sets, [ports_in(sets, ports, every)], [every], channels)


def ports_in(sets: Sets, ports: Ints, within: Range, phase: int = 0) -> Ints:
    """Return the numbers of sets of single ports, in some virtual channels, with a phase after them."""
    return sets.numbers(ports, lambda port: (Option(port, *within, phase),))


def halves(channels: Range) -> tuple[Range, Range]:
    """Return the lower and the upper half of virtual channels; of an odd number, both have the one between.

    Example:
        >>> halves((0, 3)), halves((0, 2))
        (((0, 1), (2, 3)), ((0, 1), (1, 2)))
    """
    first, last = channels
    width = (last - first + 1) // 2
    return (first, last - width), (first + width, last)
