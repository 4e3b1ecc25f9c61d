"""How far a sweep is, in memory, and as the arrays and JSON values that are stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.search.protocol import SearchState

INNER, LINKS = "inner.", "links."


@dataclass(frozen=True)
class Attempt:
    """One annealing search of a cell.

    Attributes:
        number: counted from 0.
        target: the diameter that is wanted, or None for the least average distance.
        moves: planned, of a replica.
        budget: moves that the cell has left when the attempt begins.
    """

    number: int
    target: int | None
    moves: int
    budget: int


@dataclass(frozen=True)
class CellBest:
    """The best network of a cell.

    Attributes:
        rotation_order: the order of its rotation.
        diameter: hops.
        distance_sum: hops over unordered pairs.
        wanted: the diameter that the last attempt missed, or None.
        links: uint16, shape (links, 2).
    """

    rotation_order: int
    diameter: int
    distance_sum: int
    wanted: int | None
    links: NDArray[np.uint16]

    @classmethod
    def from_row(cls, row: Mapping[str, Any], links: NDArray[np.uint16]) -> CellBest:
        """The inverse of :attr:`row`; links: uint16, shape (links, 2)."""
        return cls(row["rotation_order"], row["diameter"], row["distance_sum"], row["wanted"], links)

    @property
    def row(self) -> dict[str, Any]:
        """All but the links, as JSON values."""
        return {
            "rotation_order": self.rotation_order,
            "diameter": self.diameter,
            "distance_sum": self.distance_sum,
            "wanted": self.wanted,
        }


@dataclass
class SweepState:
    """How far a sweep is: its finished cells, the attempt under way, and the state of that attempt.

    Attributes:
        epoch: epochs done.
        evaluations: networks scored by attempts that have ended.
        finished: by cell; None where no connected network was met.
        best: of the cell under way, by its former attempts.
        attempt: under way, or None before a cell is planned.
        inner: the state of its annealing search.
        planned: moves, of every cell that has begun.
    """

    epoch: int
    evaluations: int
    finished: list[CellBest | None]
    best: CellBest | None = None
    attempt: Attempt | None = None
    inner: SearchState | None = None
    planned: list[int] = field(default_factory=list)

    def stored(self) -> SearchState:
        """As plain arrays and JSON values."""
        inner, found = self.inner, [*self.finished, self.best]
        arrays = {f"{LINKS}{place}": one.links for place, one in enumerate(found) if one is not None}
        if inner is not None:
            arrays |= {INNER + name: array for name, array in inner.arrays.items()}
        return SearchState(
            epoch=self.epoch,
            evaluations=self.evaluations + (inner.evaluations if inner else 0),
            arrays=arrays,
            notes={
                "found": [one and one.row for one in found],
                "attempt": self.attempt and asdict(self.attempt),
                "ended": self.evaluations,
                "planned": self.planned,
                "inner": inner and [inner.epoch, inner.evaluations, dict(inner.notes)],
            },
        )

    @classmethod
    def restored(cls, state: SearchState) -> SweepState:
        """The inverse of :meth:`stored`."""
        notes, arrays = state.notes, state.arrays
        found = [
            row and CellBest.from_row(row, arrays[f"{LINKS}{place}"])
            for place, row in enumerate(notes["found"])
        ]
        return cls(
            epoch=state.epoch,
            evaluations=notes["ended"],
            finished=found[:-1],
            best=found[-1],
            attempt=notes["attempt"] and Attempt(**notes["attempt"]),
            inner=notes["inner"] and _inner(notes["inner"], arrays),
            planned=list(notes["planned"]),
        )

    def missed(self, wanted: int | None) -> CellBest | None:
        """The best network, with the diameter that was wanted in vain."""
        return self.best and replace(self.best, wanted=wanted)


def _inner(stored: list[Any], arrays: Mapping[str, NDArray[Any]]) -> SearchState:
    epoch, evaluations, notes = stored
    own = {name.removeprefix(INNER): array for name, array in arrays.items() if name.startswith(INNER)}
    return SearchState(epoch, evaluations, own, notes)
