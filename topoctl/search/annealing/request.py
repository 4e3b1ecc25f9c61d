"""The request of an annealing search, validated when it is made."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from topoctl.errors import Infeasible, InvalidParameters, quoted
from topoctl.options import Option, check_options
from topoctl.options.shared import CABINET, HEIGHT, LENGTH_LIMIT, LINKS, OVERHEAD, ROUTERS, WIDTH
from topoctl.search.options import (
    MOVES,
    SECONDS,
    Moves,
    Preset,
    Replicas,
    Seconds,
    Seed,
    Seeds,
    Top,
    check_work,
)

if TYPE_CHECKING:
    from topoctl.cable_limit import LengthLimit
    from topoctl.floor.cabinets import Cabinets
    from topoctl.layout import Layout

MAX_ORDER = 65536  # a move costs at least N² K bit operations: beyond, nothing would come of it
"""Routers, at most."""
AUTO = "auto"
"""The origin with which structures near the order race beside random networks."""
MAX_LATENCY_ORDER = 16384  # a replica without symmetry keeps N² latencies of 4 bytes each
"""Routers, at most, where latencies are made small."""

OF_GRIDS = ("width", "height", "length_limit", "layout", "objective", "cabinet", "overhead", "max_latency_ns")
"""The options of `optimize grid` alone."""
OF_GRAPHS = ("order", "origin")
"""The options of `optimize graph` alone."""


@dataclass(frozen=True, kw_only=True)
class AnnealingRequest:
    """One request; constructing it checks it.

    Its fields are its options, completed by :mod:`topoctl.runs.requests`: of `optimize grid` all but
    OF_GRAPHS, of `optimize graph` all but OF_GRIDS. A graph has no layout. Links may have any length without
    `length_limit`, in steps of the layout, and `length_limit_m`, in metres of cable between the cabinets. A
    symmetry is the order of a rotation, 1 for none, or s, t and r of a group; None to choose. `cabinet` is a
    width and a depth in metres: for `aspl` without a limit in metres networks are only measured with it, else
    it is needed. The result depends on `replicas`, not on `method`.

    Raises:
        InvalidParameters: a value out of range.
        Infeasible: no connected network has these values.

    Example:
        >>> AnnealingRequest(order=100, degree=4, layout="grid", width=10, height=10, length_limit=3).degree
        4
    """

    order: Annotated[int, ROUTERS]
    origin: Annotated[
        str | None,
        Option(
            "--origin",
            "Build the first networks from this network of about N routers (2*SPEC: from two copies); "
            "none: from random links; auto: race structures against random links.",
            metavar="auto|none|SPEC|FILE",
            default="auto",
            meaning="spec or file of which the first networks are made; auto: structures race",
        ),
    ] = None
    width: Annotated[int | None, WIDTH] = None
    height: Annotated[int | None, HEIGHT] = None
    length_limit: Annotated[int | None, replace(LENGTH_LIMIT, least=1, most=2 * MAX_ORDER)] = None
    length_limit_m: float | None = None
    layout: Annotated[
        Literal["grid", "diagrid"] | None,
        Option(
            "--layout",
            "Rows in line, or every odd row shifted by half a step.",
            default="grid",
            meaning="grid or diagrid",
        ),
    ] = None
    objective: Annotated[
        Literal["aspl", "latency", "power"],
        Option(
            "--objective",
            "Minimize the diameter and average distance (aspl), the average zero-load latency, or the "
            "switches' power: fewest optical cables with no latency above --max-latency-ns.",
        ),
    ] = "aspl"
    cabinet: Annotated[
        tuple[float, float] | None,
        replace(
            CABINET,
            help="Width and depth of cabinets in metres; with aspl latencies and power are only shown.",
            default="1x1 for latency, 0.6x2.1 for power and for --l in metres",
        ),
    ] = None
    overhead: Annotated[
        float | None,
        replace(OVERHEAD, default="1 for power and where --cabinet is 0.6x2.1 by default, else 0"),
    ] = None
    max_latency_ns: Annotated[
        float | None,
        Option(
            "--max-latency-ns",
            "With power: the largest latency allowed.",
            metavar="NS",
            unit="ns",
            default="1000",
            meaning="worst latency that is allowed",
        ),
    ] = None
    preset: ClassVar[Preset]
    degree: Annotated[int, replace(LINKS, help="Most links per router, k'.", least=1, most=MAX_ORDER)]
    symmetry: Annotated[
        int | tuple[int, ...] | None,
        Option(
            "--symmetry",
            "Hold the network to a rotation of this order, 1 for none, or without positions to a group.",
            metavar="auto|ORDER|S,T,R",
            none="auto",
            default="auto",
            meaning="order of the rotation that networks are held to, or s, t and r of the group",
        ),
    ] = None
    target_diameter: Annotated[
        int | None,
        Option(
            "--target-diameter",
            "Minimize the diameter alone, and end when it is D.",
            metavar="D",
            least=1,
            most=MAX_ORDER,
            unit="hops",
            meaning="diameter that is looked for",
        ),
    ] = None
    seconds: Seconds = None
    moves: Moves = None
    replicas: Replicas = 2
    method: Annotated[
        Literal["full", "affected", "delta"] | None,
        Option(
            "--evaluation",
            "How changed networks are measured; the result is the same.",
            default="the fastest",
            meaning="how changed networks are measured, where it was chosen",
        ),
    ] = None
    start: Annotated[
        str | None,
        Option(
            "--start",
            "Improve the network in this file by exchanges that make it better, unless --symmetry is given.",
            metavar="FILE",
            file="file",
            meaning="the file that annealing begins with",
        ),
    ] = None
    seed: Seed = 1
    seeds: ClassVar[Seeds]
    top: Top = 3

    def __post_init__(self) -> None:
        check_options(self)
        check_work(self.seconds, moves=self.moves)
        if not 2 <= self.order <= MAX_ORDER:
            raise InvalidParameters(f"order {self.order}: expected 2..{MAX_ORDER} routers")
        if self.degree >= self.order:
            raise InvalidParameters(
                f"--k {self.degree}: expected at most {self.order - 1} links for {self.order} routers"
            )
        if self.layout is not None and (self.width or 0) * (self.height or 0) != self.order:
            raise InvalidParameters(
                f"{self.layout} {self.width}x{self.height}: expected a layout of {self.order} routers"
            )
        if self.degree == 1 and self.order > 2:
            raise Infeasible(
                f"--k 1: {self.order} routers with one link each cannot be connected; expected 2 or more"
            )
        self._check_symmetry()
        self._check_objective()
        _ = self.limit  # refuses limits that contradict each other
        if self.origin is not None and (self.layout or self.start or self.symmetry not in (None, 1)):
            raise InvalidParameters(
                f"origin {quoted(self.origin)}: a layout, a start file and a symmetry exclude it; "
                "expected one of them"
            )

    @property
    def local(self) -> bool:
        """Whether networks stay near that of the start file: no symmetry is asked for."""
        return self.start is not None and self.symmetry is None

    @property
    def cabinets(self) -> Cabinets | None:
        """The cabinets; None without any."""
        if self.cabinet is None:
            return None
        from topoctl.floor.cabinets import Cabinets

        width, depth = self.cabinet
        return Cabinets(width, depth, self.overhead or 0.0)

    @property
    def limit(self) -> LengthLimit | None:
        """The longest link that is allowed."""
        if self.length_limit_m is None:
            return self.length_limit
        if self.length_limit is not None:
            raise InvalidParameters("lengths in steps and in metres exclude each other; give one of them")
        if self.cabinets is None:
            raise InvalidParameters(f"--l {self.length_limit_m:g}m: expected a cabinet too")
        return self.cabinets.limit(self.length_limit_m)

    def _check_symmetry(self) -> None:
        """Check the group, and name the group of a rotation by its order alone."""
        if self.symmetry is None:
            return
        if isinstance(self.symmetry, int) and not 1 <= self.symmetry <= MAX_ORDER:
            raise InvalidParameters(f"symmetry {self.symmetry}: expected 1..{MAX_ORDER}")
        from topoctl.search.annealing.symmetry import group_named, group_value

        object.__setattr__(self, "symmetry", group_value(group_named(self.symmetry)))

    def _check_objective(self) -> None:
        from topoctl.search.annealing.objectives import OBJECTIVES, objective_kind

        kind = objective_kind(self.objective)
        if self.cabinets is None and self.overhead is not None:
            raise InvalidParameters("an overhead is for cables between cabinets: expected a cabinet too")
        if (self.max_latency_ns is not None) != kind.limited:
            limited = " or ".join(name for name, kind in OBJECTIVES.items() if kind.limited)
            raise InvalidParameters(
                f"max latency {self.max_latency_ns} with objective {self.objective}: "
                f"expected one with {limited}, none with others"
            )
        if self.max_latency_ns is not None and not 0 < self.max_latency_ns < math.inf:
            raise InvalidParameters(f"max latency {self.max_latency_ns}: expected more than 0 ns")
        if self.cabinets is not None and self.layout is None:
            raise InvalidParameters("cabinets need a layout to stand on")
        if not kind.on_cables:
            return
        if self.cabinets is None:
            raise InvalidParameters(f"objective {self.objective}: expected a cabinet")
        if self.target_diameter is not None or self.method is not None:
            raise InvalidParameters(
                f"objective {self.objective}: a target diameter and an evaluation are for aspl only"
            )
        if self.order > MAX_LATENCY_ORDER:
            raise InvalidParameters(
                f"objective {self.objective}: {self.order} routers, expected at most {MAX_LATENCY_ORDER}"
            )


@dataclass(frozen=True)
class TableCell:
    """One network to look for.

    Attributes:
        layout, width, height: where the routers stand.
        degree: K, links per router at most.
        length_limit: L.
        published: the diameter to beat, or None.
    """

    layout: Literal["grid", "diagrid"]
    width: int
    height: int
    degree: int
    length_limit: int
    published: int | None = None

    @property
    def router_layout(self) -> Layout:
        """Where the routers stand."""
        from topoctl.layout import Layout

        return Layout(self.layout, self.width, self.height)

    @property
    def name(self) -> str:
        """Distinct within a table: its floors are one grid, or a grid and a diagrid.

        Example:
            >>> TableCell("grid", 30, 30, 5, 10).name
            'k5-l10'
        """
        prefix = "" if self.layout == "grid" else f"{self.layout}-"
        return f"{prefix}k{self.degree}-l{self.length_limit}"

    def seed(self, seed: int, attempt: int) -> int:
        """The seed of an attempt: every cell of a table, and every attempt at it, draws otherwise."""
        import numpy as np

        kind = 0 if self.layout == "grid" else 1
        entropy = [seed, kind, self.width, self.height, self.degree, self.length_limit, attempt]
        return int(np.random.SeedSequence(entropy).generate_state(1, np.uint64)[0] >> np.uint64(1))


@dataclass(frozen=True, kw_only=True)
class DescentRequest:
    """One request; constructing it checks it.

    Attributes:
        name: of the table or figure.
        objective: the least diameter, or the least average distance.
        cell: the network to look for.
        moves: of a replica, in all attempts together, or None.
        seconds: for all attempts together, at most, or None.
        records: once the published diameter is reached, go on to one less.
        replicas: networks annealed side by side.
        seed: of all draws.

    Raises:
        InvalidParameters: a value out of range, or neither or both of moves and seconds.
        Infeasible: no connected network has the cell's values.
    """

    name: str
    objective: Literal["diameter", "aspl"]
    cell: TableCell
    cells: ClassVar[
        Annotated[
            str | None,
            Option("--cells", "Only these degrees and lengths.", metavar="k=A..B,l=A..B"),
        ]
    ]
    seconds: Annotated[float | None, replace(SECONDS, help="Most planned time of a cell.", default="60")] = (
        None
    )
    moves: Annotated[
        int | None, replace(MOVES, help="Planned moves of a replica in a cell, instead of a time.")
    ] = None
    records: Annotated[
        bool,
        Option(
            "--no-records",
            "Stop at the paper's diameter; do not try one less.",
            meaning="after the published diameter, go on to one less",
        ),
    ] = True
    replicas: Replicas = 2
    seed: Seed = 1

    def __post_init__(self) -> None:
        if (self.moves is None) == (self.seconds is None):
            raise InvalidParameters("a cell needs moves or seconds; give one of them")
        check_options(self)
        self.annealing()

    def annealing(self, attempt: int = 0, target: int | None = None) -> AnnealingRequest:
        """What an attempt asks of an annealing search."""
        return AnnealingRequest(
            order=self.cell.router_layout.order,
            degree=self.cell.degree,
            layout=self.cell.layout,
            width=self.cell.width,
            height=self.cell.height,
            length_limit=self.cell.length_limit,
            target_diameter=target,
            seconds=self.seconds,
            moves=self.moves,
            replicas=self.replicas,
            seed=self.cell.seed(self.seed, attempt),
            top=1,
        )
