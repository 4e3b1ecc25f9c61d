"""What a sweep is asked for, validated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from topoctl.errors import InvalidParameters
from topoctl.layout import Kind, Layout
from topoctl.search.annealing.request import AnnealingRequest

ObjectiveName = Literal["diameter", "aspl"]


@dataclass(frozen=True)
class Cell:
    """One network to look for.

    Attributes:
        layout, width, height: where the routers stand.
        degree: K, links per router at most.
        length_limit: L.
        published: the diameter to beat, or None.
    """

    layout: Kind
    width: int
    height: int
    degree: int
    length_limit: int
    published: int | None = None

    @property
    def router_layout(self) -> Layout:
        """Where the routers stand."""
        return Layout(self.layout, self.width, self.height)

    @property
    def name(self) -> str:
        """Distinct within a sweep: its floors are one grid, or a grid and a diagrid.

        Example:
            >>> Cell("grid", 30, 30, 5, 10).name
            'k5-l10'
        """
        prefix = "" if self.layout == "grid" else f"{self.layout}-"
        return f"{prefix}k{self.degree}-l{self.length_limit}"

    def seed(self, seed: int, attempt: int) -> int:
        """The seed of an attempt at this cell: the same whichever other cells a sweep has."""
        kind = 0 if self.layout == "grid" else 1
        entropy = [seed, kind, self.width, self.height, self.degree, self.length_limit, attempt]
        return int(np.random.SeedSequence(entropy).generate_state(1, np.uint64)[0] >> np.uint64(1))


@dataclass(frozen=True)
class SweepRequest:
    """One request; constructing it checks it.

    Attributes:
        name: of the table or figure.
        objective: the least diameter, or the least average distance.
        cells: in the order in which they are searched.
        moves: of a replica in every cell, or None.
        seconds: for every cell, at most, or None.
        records: once the published diameter is reached, go on to one less.
        replicas: networks annealed side by side.
        seed: of all draws.
        picture, graphs, records_only: files for the results; here because a resumed sweep writes them too.

    Raises:
        InvalidParameters: a value out of range, no cells, or neither or both of moves and seconds.
        Infeasible: no connected network has a cell's values.
    """

    name: str
    objective: ObjectiveName
    cells: tuple[Cell, ...]
    moves: int | None = None
    seconds: float | None = None
    records: bool = True
    replicas: int = 2
    seed: int = 1
    picture: str | None = None
    graphs: str | None = None
    records_only: bool = False

    def __post_init__(self) -> None:
        if not self.cells:
            raise InvalidParameters("a sweep of 0 cells: expected 1 or more")
        if (self.moves is None) == (self.seconds is None):
            raise InvalidParameters("a sweep needs moves or seconds for every cell; give one of them")
        AnnealingRequest(order=2, degree=1, seed=self.seed)
        for cell in self.cells:
            self.annealing(cell)

    def annealing(self, cell: Cell, attempt: int = 0, target: int | None = None) -> AnnealingRequest:
        """What an attempt at a cell asks of an annealing search."""
        return AnnealingRequest(
            order=cell.router_layout.order,
            degree=cell.degree,
            layout=cell.layout,
            width=cell.width,
            height=cell.height,
            length_limit=cell.length_limit,
            target_diameter=target,
            seconds=self.seconds,
            moves=self.moves,
            replicas=self.replicas,
            seed=cell.seed(self.seed, attempt),
            top=1,
        )
