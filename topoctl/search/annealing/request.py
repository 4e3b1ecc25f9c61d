"""What an annealing search is asked for, validated."""

from __future__ import annotations

import math
from dataclasses import dataclass

from topoctl.cable_limit import LengthLimit
from topoctl.errors import Infeasible, InvalidParameters, quoted
from topoctl.floor.cabinets import Cabinets
from topoctl.kernels.link_annealing import METHODS, Method
from topoctl.layout import Kind
from topoctl.search.annealing.action import group_of, requested
from topoctl.search.annealing.objectives.registry import OBJECTIVES, objective_kind
from topoctl.search.ranges import MAX_EVALUATIONS, MAX_INDIVIDUALS, MAX_SECONDS, MAX_SEED

MAX_ORDER = 65536
"""A move costs at least N² K bit operations: beyond this nothing would come of it."""
AUTO = "auto"
"""The origin where structures near the order race beside random networks."""
MAX_LATENCY_ORDER = 16384
"""A replica without symmetry keeps N² latencies, of 4 bytes each."""


@dataclass(frozen=True)
class AnnealingRequest:
    """One request; constructing it checks it.

    Attributes:
        order: routers N.
        degree: K, links per router at most.
        layout: where the routers stand, or None for a graph without positions.
        width, height: routers per row and rows, where there is a layout.
        length_limit: L in steps of the layout, or None.
        length_limit_m: L in metres of cable between the cabinets, or None; without both, links may have any
            length.
        symmetry: what the network is held to: the order of a rotation, 1 for none, or s, t and r of a group
            as in `search cayley`; None to choose.
        target_diameter: end once a network of this diameter is found, or None.
        seconds: planned time, or None.
        moves: planned number of moves, or None.
        replicas: networks annealed side by side; part of what the result depends on.
        method: how changed networks are evaluated, or None for the fastest; the result is the same.
        start: file of a network to improve, or None.
        origin: what the first networks are made of: spec or file of a network of about as many routers,
            ``2*`` before it for two copies; AUTO where all that are near race; None for none.
        seed: of all draws.
        top: distinct networks to report.
        objective: ``aspl``, the diameter, then the average distance; ``latency``, the average zero-load
            latency; ``power``, the number of optical cables while no latency is above a limit.
        cabinet: width and depth in metres; for ``aspl`` without a limit in metres they are only measured
            with, else needed.
        overhead: metres of cable at each of its two ends.
        max_latency_ns: the limit, for ``power`` only.

    Raises:
        InvalidParameters: a value out of range.
        Infeasible: no connected network has these values.

    Example:
        >>> AnnealingRequest(order=100, degree=4, layout="grid", width=10, height=10, length_limit=3).degree
        4
    """

    order: int
    degree: int
    layout: Kind | None = None
    width: int | None = None
    height: int | None = None
    length_limit: int | None = None
    symmetry: int | tuple[int, ...] | None = None
    target_diameter: int | None = None
    seconds: float | None = None
    moves: int | None = None
    replicas: int = 2
    method: Method | None = None
    start: str | None = None
    seed: int = 1
    top: int = 3
    objective: str = "aspl"
    cabinet: tuple[float, float] | None = None
    overhead: float | None = None
    max_latency_ns: float | None = None
    origin: str | None = None
    length_limit_m: float | None = None

    def __post_init__(self) -> None:
        self._check_ranges()
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
        if self.method is not None and (self.method not in METHODS or self.method == "toggle"):
            raise InvalidParameters(f"evaluation {self.method!r}: expected {', '.join(METHODS[1:])}")
        self._check_symmetry()
        self._check_objective()
        _ = self.limit  # refuses what is none
        if self.origin is not None and (self.layout or self.start or self.symmetry not in (None, 1)):
            raise InvalidParameters(
                f"origin {quoted(self.origin)}: a layout, a start file and a symmetry exclude it; "
                "expected one of them"
            )

    @property
    def cabinets(self) -> Cabinets | None:
        """The cabinets, where there are any."""
        if self.cabinet is None:
            return None
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
        """A group must be one; that of a rotation is named by its order alone."""
        if self.symmetry is None:
            return
        if isinstance(self.symmetry, int) and not 1 <= self.symmetry <= MAX_ORDER:
            raise InvalidParameters(f"symmetry {self.symmetry}: expected 1..{MAX_ORDER}")
        object.__setattr__(self, "symmetry", requested(group_of(self.symmetry)))

    def _check_objective(self) -> None:
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

    def _check_ranges(self) -> None:
        ranges = {
            "order": (2, MAX_ORDER),
            "degree": (1, MAX_ORDER),
            "length_limit": (1, MAX_ORDER * 2),
            "target_diameter": (1, MAX_ORDER),
            "moves": (1, MAX_EVALUATIONS),
            "replicas": (1, MAX_INDIVIDUALS),
            "top": (1, MAX_INDIVIDUALS),
            "seed": (0, MAX_SEED),
        }
        options = {"degree": "--k", "length_limit": "--l"}
        for name, (least, most) in ranges.items():
            value = getattr(self, name)
            if value is not None and not least <= value <= most:
                label = options.get(name, name.replace("_", " "))
                raise InvalidParameters(f"{label} {value}: expected {least}..{most}")
        if self.seconds is not None and not 0 < self.seconds <= MAX_SECONDS:
            raise InvalidParameters(f"seconds {self.seconds}: expected more than 0 and at most {MAX_SECONDS}")
        if self.seconds is not None and self.moves is not None:
            raise InvalidParameters("seconds and moves exclude each other; give one of them")
