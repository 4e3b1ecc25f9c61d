"""Shapes of the arrays and notes of a stored state."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import Damaged
from topoctl.search.json_shapes import LARGEST, Shape, anything, odd, one_of, record, whole
from topoctl.search.protocol import SearchState

DRAWS = record(
    {
        "bit_generator": one_of("PCG64"),
        "state": record({"state": whole(0, 2**128 - 1), "inc": odd(2**128 - 1)}),
        "has_uint32": whole(0, 1),
        "uinteger": whole(0, 2**32 - 1),
    }
)
"""Where :class:`topoctl.search.draws.Draws` stand."""


@dataclass(frozen=True)
class Array:
    """The shape of an array of integers.

    Attributes:
        kind: numpy's type of its values.
        sides: lengths, a range where there is a choice.
        least, most: of its values.
    """

    kind: type[np.integer[Any]]
    sides: tuple[int | range, ...]
    least: int = 0
    most: int = LARGEST

    def __call__(self, value: Any, place: str) -> None:
        """Raise Damaged where an array does not fit."""
        fits = len(value.shape) == len(self.sides) and all(
            length in side if isinstance(side, range) else length == side
            for length, side in zip(value.shape, self.sides, strict=True)
        )
        if value.dtype != self.kind or not fits:
            sides = ", ".join(
                f"{side.start}..{side.stop - 1}" if isinstance(side, range) else str(side)
                for side in self.sides
            )
            expected = f"{self.kind.__name__} of shape ({sides})"
            raise Damaged(f"{place} is {value.dtype} of shape {value.shape}; expected {expected}")
        if value.size and not self.least <= value.min() <= value.max() <= self.most:
            found = f"{value.min()}..{value.max()}"
            raise Damaged(f"{place} has values {found}; expected {self.least}..{self.most}")


def check_arrays(arrays: Mapping[str, NDArray[Any]], shapes: Mapping[str, Array]) -> None:
    """Hold arrays against their declared dtypes (as int32) and shapes; there must be these and no others.

    Raises:
        Damaged: naming the array at fault.
    """
    record(dict.fromkeys(shapes, anything))(dict(arrays), "arrays")
    for name, shape in shapes.items():
        shape(arrays[name], f"array {name}")


def check_state(
    state: SearchState, arrays: Mapping[str, Array], notes: Mapping[str, Shape], lacking: Collection[str] = ()
) -> None:
    """Hold a state against what it is declared to be.

    Args:
        state: read from a study.
        arrays: all that it has.
        notes: all that it has.
        lacking: notes that may be missing.

    Raises:
        Damaged: naming the array or note at fault.
    """
    check_arrays(state.arrays, arrays)
    record(notes, lacking)(dict(state.notes), "notes")
