"""The request of a growth, validated when it is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from itertools import accumulate
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from topoctl.errors import InvalidParameters
from topoctl.options import Option, check_options
from topoctl.options.shared import FLOOR, LENGTH_LIMIT, LINKS, NAMES, ROUTERS
from topoctl.search.annealing.request import MAX_ORDER, AnnealingRequest
from topoctl.search.options import MOVES, Seconds, Seed, Seeds, Top, check_work

if TYPE_CHECKING:
    from topoctl.topology import Topology

MOST_LIMITS = 32
"""Limits of moved cables in one search, at most: each has replicas of its own."""


@dataclass(frozen=True, kw_only=True)
class GrowRequest:
    """One request; constructing it checks it.

    Its fields are its options, completed by :mod:`topoctl.runs.requests`.

    Raises:
        InvalidParameters: a value out of range, or values that contradict each other.

    Example:
        >>> GrowRequest(standing=512, order=640, steps=(64, 64), degree=8, moves=1000).orders
        (512, 576, 640)
    """

    standing: int
    routers: ClassVar[
        Annotated[
            int | None, Option("--routers", "Routers to add.", metavar="COUNT", least=1, most=MAX_ORDER)
        ]
    ]
    order: Annotated[int, replace(ROUTERS, help="Routers of the grown network, instead of --routers.")]
    steps: Annotated[
        tuple[int, ...],
        Option(
            "--steps",
            "Routers to add in each step; each network keeps the cables of the one before.",
            metavar="A,B,…",
            example="64,64,128",
            least=1,
            most=MAX_ORDER,
            default="all at once",
        ),
    ]
    degree: Annotated[
        int,
        replace(
            LINKS,
            help="Most links per router, k'.",
            default="as many as a router of the network has",
            least=1,
            most=MAX_ORDER,
        ),
    ]
    length_limit: Annotated[
        int | None,
        replace(
            LENGTH_LIMIT,
            help="Longest link, in steps of the layout; for networks whose routers have positions.",
            metavar="L",
            typed=int,
            default="that of the network",
            least=1,
            most=2 * MAX_ORDER,
        ),
    ] = None
    recable: Annotated[
        tuple[int, ...] | None,
        Option(
            "--recable",
            "Most standing cables to move in all; several limits make a front.",
            metavar="B,…",
            example="0,64,256",
            least=0,
            most=2**31 - 1,
            default="a front of limits around k'/2 a router",
        ),
    ] = None
    floor: ClassVar[
        Annotated[
            str | None,
            replace(
                FLOOR,
                help=FLOOR.help.rstrip(".") + "; kept with the run, on it what stands keeps its place.",
                default="that of the run of --run, or racks42",
            ),
        ]
    ]
    naming: ClassVar[Annotated[str | None, NAMES]]
    afresh: Annotated[
        bool,
        Option(
            "--no-afresh",
            "Spend all the time on growth; do not also search the same size afresh.",
            argument="afresh",
            meaning="whether the same size is searched afresh too, in half of the time",
        ),
    ] = True
    layout: Literal["grid", "diagrid"] | None = None
    width: int | None = None
    seconds: Seconds = None
    moves: Annotated[
        int | None,
        replace(MOVES, help="Planned moves of a replica in each step, and afresh, instead of a time."),
    ] = None
    replicas: Annotated[
        int,
        Option(
            "--replicas", "Networks annealed side by side for every limit.", metavar="COUNT", least=1, most=64
        ),
    ] = 2
    seed: Seed = 1
    seeds: ClassVar[Seeds]
    top: Top = 12

    def __post_init__(self) -> None:
        check_options(self)
        check_work(self.seconds, moves=self.moves)
        if self.standing + sum(self.steps) != self.order or not self.steps:
            raise InvalidParameters(
                f"--steps {','.join(map(str, self.steps))}: {self.standing} routers and these make "
                f"{self.standing + sum(self.steps)}; expected {self.order}"
            )
        if self.recable is not None and not 1 <= len(self.recable) <= MOST_LIMITS:
            raise InvalidParameters(f"--recable: {len(self.recable)} limits, expected 1..{MOST_LIMITS}")
        for place in range(len(self.steps)):
            self.annealing(place, 1)  # refuses sizes that no network can have

    @property
    def orders(self) -> tuple[int, ...]:
        """Routers that stand, and routers after every step."""
        return (self.standing, *(self.standing + added for added in accumulate(self.steps)))

    def annealing(self, step: int, replicas: int, **more: Any) -> AnnealingRequest:
        """Return what a step asks of an annealing search; the last one's size is that searched afresh.

        Args:
            step: counted from 0.
            replicas: networks side by side.
            more: further fields.
        """
        order = self.orders[step + 1]
        placed: dict[str, Any] = {}
        if self.layout is not None and self.width is not None:
            if order % self.width:
                raise InvalidParameters(
                    f"{order} routers in rows of {self.width}: expected whole rows, such as "
                    f"{order + -order % self.width} routers"
                )
            placed = {"layout": self.layout, "width": self.width, "height": order // self.width}
            placed["length_limit"] = self.length_limit
        elif self.length_limit is not None:
            raise InvalidParameters(f"--l {self.length_limit}: the routers of the network have no positions")
        return AnnealingRequest(
            order=order, degree=self.degree, replicas=replicas, seed=self.seed, **placed, **more
        )


@dataclass(frozen=True, kw_only=True)
class GrowAsked(GrowRequest):
    """A request, and the network that stands.

    Attributes:
        topology: the network.
        network: what is said of it: its spec, its file or its run.
    """

    topology: Topology
    network: Mapping[str, Any]

    @property
    def request(self) -> GrowRequest:
        """The request alone."""
        return GrowRequest(**{one.name: getattr(self, one.name) for one in fields(GrowRequest)})
