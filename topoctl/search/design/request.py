"""The request of a design: what a network that is to be built must meet, validated when it is made."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self, get_type_hints

from topoctl.errors import Damaged, InvalidParameters
from topoctl.json_shapes import anything, record, text
from topoctl.options import Option, check_options
from topoctl.options.shared import ELECTRICAL, FLOOR, PLANES, PORTS, PRICES, SOLD
from topoctl.search.design.objectives import (
    DEFAULT_FRONT,
    LIMITED,
    check_front,
    parse_front,
    parse_throughput,
    parse_tolerance,
)
from topoctl.search.options import EVALUATIONS, SECONDS, Seed

if TYPE_CHECKING:
    from topoctl.economics.prices import Prices
    from topoctl.floor.floor import Floor
    from topoctl.search.design.cost_bounds import CostBounds
    from topoctl.search.enumeration.windows import Window

BEYOND = 1.1
"""The most endpoints by default, as a multiple of the endpoints that are needed."""
GENERAL = "graph"
"""The name of networks without a family, also of networks from files."""
GRID = "grid"
"""The name of networks without a family whose routers stand on the grid of a floor."""
SEARCHED = ("cayley", "equality", GENERAL, GRID)
"""Families without a list of instances, which are searched."""
ANY = record({}, more=True)
RANGES = ("endpoints", "router_radix", "diameter")
"""Fields that are windows, and are so called in what is stored."""
BOUNDED = ("throughput", "ecmp", "routed", "worst-case")
"""Throughputs that no network has more of than the bound on the uniform one says."""
MOST_ENDPOINTS, MOST_PORTS = 10**7, 4096


def read_throughput(text: str) -> float | str:
    """A number where that is all, for JSON; else the text, which is read again where it is used.

    Example:
        >>> read_throughput("0.8"), read_throughput("ecmp:0.8")
        (0.8, 'ecmp:0.8')
    """
    asked = parse_throughput(text)
    return asked["throughput"] if [*asked] == ["throughput"] else text


def _default_floor() -> Floor:
    from topoctl.floor.floor import DEFAULT_FLOOR, floor_named

    return floor_named(DEFAULT_FLOOR)


def _default_prices() -> Prices:
    from topoctl.economics.prices import DEFAULT_PRICES, prices_named

    return prices_named(DEFAULT_PRICES)


@dataclass(frozen=True)
class DesignRequest:
    """One request; constructing it checks it.

    Its fields are its options; those of ``ClassVar``, the floor and the prices are completed by
    :func:`topoctl.runs.requests.design_request`.

    Attributes:
        families: names; none for all, but grids only if a floor or a room was given.
        front: objectives that networks are compared by.
        evaluations: networks that each search scores in the first round, or None.
        floor_asked: whether a floor or a room was given.
        late: of every batch of networks, the places of those that there was no time to measure, of the
            families those that there was no time to list, and of the front those that there was no time to
            simulate; as far as seconds are planned, and that is decided.
        searched: how many searches each round has, as far as seconds are planned, and that is decided.

    Raises:
        InvalidParameters: a value out of range, or one that contradicts another.

    Example:
        >>> windows = DesignRequest("5000", "48", seconds=60).windows
        >>> str(windows["endpoints"]), str(windows["router_radix"])
        ('5000..5500', '..48')
    """

    endpoints: Annotated[str, Option("--endpoints", "Endpoints needed.", metavar="RANGE")]
    router_radix: Annotated[str, replace(PORTS, help="Ports per router.", metavar="RANGE")]
    diameter: Annotated[
        str | None, Option("--diameter", "Most hops between two routers.", metavar="RANGE")
    ] = None
    throughput: Annotated[
        float | str,
        Option(
            "--throughput",
            "Least uniform throughput by a network's own routings; or NAME:THETA, of ecmp, worst-case, "
            "routed or a pattern of traffic; several with commas.",
            metavar="THETA",
            also=("--theta",),
            reader=read_throughput,
            meaning="uniform throughput by a network's own routings, at least; a text such as "
            "0.8,worst-case:0.4 for others",
        ),
    ] = 0.8
    cost: Annotated[
        float | None,
        Option(
            "--cost",
            "Most dollars per endpoint.",
            metavar="DOLLARS",
            unit="$",
            meaning="per endpoint, at most",
        ),
    ] = None
    power: Annotated[
        float | None,
        Option(
            "--power", "Most watts per endpoint.", metavar="WATTS", unit="W", meaning="per endpoint, at most"
        ),
    ] = None
    latency: Annotated[
        float | None,
        Option(
            "--latency",
            "Largest average zero-load latency.",
            metavar="NS",
            unit="ns",
            meaning="average latency, at most",
        ),
    ] = None
    bisection: Annotated[
        float | None,
        Option(
            "--bisection",
            "Least proven bisection over half of the endpoints.",
            metavar="SHARE",
            meaning="proven bisection over half of the endpoints, at least",
        ),
    ] = None
    families: tuple[str, ...] = ()
    planes: Annotated[
        tuple[int, ...],
        replace(
            PLANES,
            help="Compare networks in so many planes: equal copies that hold all endpoints, with a port of "
            "full speed in each; throughputs and bisections asked for are of all, in ports.",
            metavar="N,N,…",
            default="1",
            example="1,2,4",
        ),
    ] = (1,)
    floor: Annotated[Floor, replace(FLOOR, typed=str)] = field(default_factory=_default_floor)
    prices: Annotated[Prices, replace(PRICES, typed=str)] = field(default_factory=_default_prices)
    electrical: ClassVar[Annotated[float | None, ELECTRICAL]]
    sold: ClassVar[Annotated[tuple[int, ...] | None, SOLD]]
    room: ClassVar[
        Annotated[
            tuple[float, float] | None,
            Option(
                "--room",
                "Width and depth of the room for the racks, in metres.",
                metavar="WxD",
                unit="m",
                example="20x30",
            ),
        ]
    ]
    front: Annotated[
        tuple[str, ...],
        Option(
            "--front",
            "Compare networks by: cost, power, latency, throughput, ecmp, routed, worst-case, bisection, "
            "resilience.",
            metavar="A,B,…",
            completion="objectives",
            default="cost,latency,throughput",
            reader=parse_front,
            meaning="what networks are compared by",
        ),
    ] = DEFAULT_FRONT
    front_tolerance: Annotated[
        float,
        Option(
            "--tolerance",
            "Merge networks of the front that differ by at most this percentage in every quantity of "
            "--front.",
            metavar="PERCENT",
            least=0,
            most=100,
            unit="%",
            default="1",
            reader=parse_tolerance,
            meaning="how far networks of the front that are shown as one differ, at most",
        ),
    ] = 1.0
    simulate: Annotated[
        bool,
        Option(
            "--simulate",
            "Simulate the networks of the front: the load at which uniform traffic saturates them, and the "
            "latency at half that load.",
        ),
    ] = False
    seconds: Annotated[
        float | None,
        replace(SECONDS, help="Planned time of the whole command."),
    ] = None
    evaluations: Annotated[
        int | None,
        replace(
            EVALUATIONS,
            help="Networks that each search scores, instead of a time; twice as many in each further round.",
        ),
    ] = None
    seed: Seed = 1
    floor_asked: bool = False
    late: tuple[tuple[int, ...], ...] = ()
    searched: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        from topoctl.families import family_named

        check_options(self)
        check_front(self.front)
        for name in self.families:
            if name not in SEARCHED:
                family_named(name)
        if not self.planes or len({*self.planes}) < len(self.planes):
            raise InvalidParameters(f"--planes {','.join(map(str, self.planes))}: expected each number once")
        self._check_windows()
        self._check_numbers()

    @cached_property
    def windows(self) -> Mapping[str, Window]:
        """What closed forms can be held against, by quantity."""
        from topoctl.search.enumeration.windows import Window, parse_window

        endpoints = parse_window("--endpoints", self.endpoints)
        if ".." not in self.endpoints:
            endpoints = Window(endpoints.least)
        if endpoints.most == math.inf:
            endpoints = Window(endpoints.least, math.floor(BEYOND * float(endpoints.least)))
        windows = {"endpoints": endpoints, "router_radix": at_most("--router-radix", self.router_radix)}
        if self.diameter is not None:
            windows["diameter"] = at_most("--diameter", self.diameter)
        return windows

    @cached_property
    def by_planes(self) -> Mapping[int, Self]:
        """The same for each number of planes alone."""
        return {planes: replace(self, planes=(planes,)) for planes in self.planes}

    @cached_property
    def asked(self) -> Mapping[str, float]:
        """What a network must reach, by the names of the objectives that are limited."""
        names = ("cost", "power", "latency", "bisection")
        limits = {name: getattr(self, name) for name in names}
        others = {name: float(limit) for name, limit in limits.items() if limit is not None}
        return others | parse_throughput(str(self.throughput))

    @cached_property
    def cost_bounds(self) -> CostBounds:
        """What networks cost, draw and delay at least."""
        from topoctl.search.design.cost_bounds import CostBounds

        return CostBounds(self.floor, self.prices)

    @property
    def parameters(self) -> dict[str, Any]:
        """The request as JSON values, which :meth:`from_parameters` reads."""
        own = {one.name: getattr(self, one.name) for one in fields(self) if one.name not in RANGES}
        return {
            **own,
            "windows": {name: str(window) for name, window in self.windows.items()},
            "families": [*self.families],
            "front": [*self.front],
            "floor": self.floor.model_dump(),
            "prices": self.prices.name,
            "price_model": self.prices.model_dump(mode="json"),
        }

    @classmethod
    def from_parameters(cls, parameters: Mapping[str, Any]) -> Self:
        """The request that JSON values describe.

        Raises:
            Damaged, InvalidParameters: they describe none.

        Example:
            >>> request = DesignRequest("5000", "48", seconds=60)
            >>> again = DesignRequest.from_parameters(request.parameters)
            >>> again.windows == request.windows, again.prices == request.prices
            (True, True)
        """
        from pydantic import ValidationError

        from topoctl.definitions import faults
        from topoctl.economics.prices import Prices
        from topoctl.floor.floor import Floor
        from topoctl.search.from_json import built

        shape = record(dict.fromkeys(RANGES, text()), lacking=("diameter",))
        names = {one.name for one in fields(cls)} - {"floor", "prices", *RANGES}
        shapes = {"windows": shape, "floor": ANY, "price_model": ANY, **dict.fromkeys(names, anything)}
        record(shapes, more=True)({**parameters}, "parameters")
        values = {name: parameters[name] for name in names} | parameters["windows"]
        try:
            floor, prices = Floor(**parameters["floor"]), Prices(**parameters["price_model"])
        except ValidationError as error:
            raise Damaged(f"parameters: {faults(error)}") from error
        hints = get_type_hints(cls, localns={"Floor": Floor, "Prices": Prices})
        asked = {name: built(hints[name], value, f"parameters.{name}") for name, value in values.items()}
        return cls(**asked, floor=floor, prices=prices)

    @property
    def carried(self) -> float:
        """The largest throughput that is asked for of a plane and that bounds tell of; 0 for none."""
        return max((self.asked.get(name, 0.0) for name in BOUNDED), default=0.0) / max(self.planes)

    @property
    def measures(self) -> tuple[str, ...]:
        """What has to be measured of a network."""
        names = dict.fromkeys((*self.front, *self.asked))
        return tuple(dict.fromkeys(LIMITED[name].measure for name in names))

    def wants(self, family: str) -> bool:
        """Whether networks of a family are looked at."""
        if not self.families:
            return family != GRID or self.floor_asked
        return family in self.families

    def _check_windows(self) -> None:
        endpoints, ports = self.windows["endpoints"], self.windows["router_radix"]
        if not 2 <= endpoints.least <= MOST_ENDPOINTS:
            raise InvalidParameters(
                f"--endpoints {self.endpoints}: expected a least number from 2 to {MOST_ENDPOINTS:,}, "
                "such as 5000.."
            )
        if endpoints.most > 10 * endpoints.least:
            raise InvalidParameters(
                f"--endpoints {self.endpoints}: expected at most ten times as many as at least"
            )
        if not 2 <= ports.most <= MOST_PORTS:
            raise InvalidParameters(
                f"--router-radix {self.router_radix}: expected a most of 2..{MOST_PORTS}, as ..48"
            )

    def _check_numbers(self) -> None:
        for name, limit in self.asked.items():
            if not (math.isfinite(limit) and limit >= 0 and (limit > 0 or LIMITED[name].more)):
                raise InvalidParameters(f"--{name} {limit:g}: expected more than 0")
        if (self.seconds is None) == (self.evaluations is None):
            raise InvalidParameters("a design needs seconds or evaluations; give one of them")


def at_most(option: str, text: str) -> Window:
    """Read a range; a single number is its upper end."""
    from topoctl.search.enumeration.windows import Window, parse_window

    window = parse_window(option, text)
    return window if ".." in text else Window(most=window.most)
