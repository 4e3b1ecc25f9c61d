"""What the commands that measure are asked for: evaluate, route, cable, bounds and enumerate."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from topoctl.errors import InvalidParameters
from topoctl.options import Option, check_options
from topoctl.shared_options import (
    CABINET,
    EACH,
    ELECTRICAL,
    ENDPOINTS,
    EXACT,
    FAIL,
    FAILED,
    FLOOR,
    HEIGHT,
    LENGTH_LIMIT,
    LINKS,
    NAMES,
    OVERHEAD,
    PORTS,
    PRICES,
    ROUTERS,
    SEED,
    SOLD,
    WIDTH,
)

MOST = 2**31 - 1
"""Routers or endpoints of which bounds are known."""
RANGE = "RANGE"
ON_A_PAGE = (
    "What routers are called on the page of --report: patterns, a file, or none; kept with the run of --run."
)


def _scheme_or_count(text: str) -> str | int:
    """A number of virtual channels, or the name of a scheme."""
    word = text.strip().lower()
    return int(word) if re.fullmatch(r"-?[0-9]{1,20}", word) else word


def refuse_failed_and_fail(failed: str | None, fail: str | None) -> None:
    """Raise InvalidParameters where failures are told and drawn."""
    if failed is not None and fail is not None:
        raise InvalidParameters("--failed and --fail exclude each other: failures are told, or drawn")


@dataclass(frozen=True)
class EvaluationRequest:
    """What `topoctl evaluate` measures, and how; constructing it checks it.

    Raises:
        InvalidParameters: a value out of range, or options that exclude each other.
    """

    measures: Annotated[
        str | None,
        Option(
            "--measures",
            "What else to measure: {names}; all leaves out what a network lacks.",
            metavar="A,B,…|all",
            completion="measures",
            names="measure_names",
            listed=True,
            meaning="what is measured beside the distances",
        ),
    ] = None
    partitions: Annotated[
        int | None,
        Option("--partitions", "Halvings to refine for the bisection.", metavar="N", least=1, default="24"),
    ] = None
    partitioner: Annotated[
        Literal["topoctl", "kahip"] | None,
        Option("--partitioner", "What finds the halvings; kahip has to be installed.", default="topoctl"),
    ] = None
    partition_seconds: Annotated[
        float | None,
        Option(
            "--partition-seconds",
            "Begin no further halving after so long.",
            metavar="S",
            unit="s",
            default="no limit",
        ),
    ] = None
    trials: Annotated[
        int | None,
        Option(
            "--trials",
            "Random orders of failures for the resilience.",
            metavar="T",
            least=6,
            most=10_000,
            default="100",
        ),
    ] = None
    concentration: ClassVar[
        Annotated[
            int | None,
            replace(
                ENDPOINTS,
                help="Endpoints per router of networks without a spec, in place of what files say.",
                least=0,
            ),
        ]
    ]
    sources: Annotated[
        int | None,
        Option(
            "--sources",
            "Measure from S random routers only, in groups of 64, two or more; the ASPL gets a 95% interval.",
            metavar="S",
            least=2,
        ),
    ] = None
    exact: Annotated[bool, EXACT] = False
    naming: ClassVar[Annotated[str | None, replace(NAMES, help=ON_A_PAGE)]]
    seed: Annotated[int, replace(SEED, help="Seed of all random draws: sources, halvings, failures.")] = 1
    cabinet: Annotated[
        tuple[float, float] | None,
        replace(
            CABINET,
            help="Width and depth of cabinets in metres: adds latencies (60 ns a switch, 5 ns a metre of "
            "cable) "
            "and the power of the switches, of networks with a layout or a family's placement in cabinets.",
        ),
    ] = None
    overhead: Annotated[float | None, replace(OVERHEAD, default="0")] = None
    floor: Annotated[str | None, FLOOR] = None
    prices: Annotated[str | None, PRICES] = None
    electrical: Annotated[float | None, ELECTRICAL] = None
    sold: Annotated[tuple[int, ...] | None, SOLD] = None
    convention: Annotated[
        str | None,
        Option(
            "--convention",
            "Count and price as a paper did: slimfly2014, flex2022 or equality2022.",
            metavar="NAME",
        ),
    ] = None
    sort: ClassVar[
        Annotated[
            str | None,
            Option(
                "--sort",
                "Quantities separated by commas, - before one for largest first: those of enumerate "
                "--sort that "
                "need no family, and those of --measures and --cabinet, such as power_watts.",
                metavar="KEYS",
                default="diameter, aspl",
                listed=True,
                meaning="quantities, a minus before one for largest first",
            ),
        ]
    ]
    each: Annotated[int | None, EACH] = None
    failed: Annotated[str | None, FAILED] = None
    fail: Annotated[str | None, FAIL] = None

    def __post_init__(self) -> None:
        check_options(self)
        refuse_failed_and_fail(self.failed, self.fail)
        if self.sources is not None and self.exact:
            raise InvalidParameters("--sources and --exact exclude each other")
        for option, given in (("--cabinet", self.cabinet), ("--measures", self.measures)):
            if given is not None and self.sources is not None:
                raise InvalidParameters(f"{option} measures from all routers: it excludes --sources")
        if self.overhead is not None and self.cabinet is None:
            raise InvalidParameters("--overhead is for cables between cabinets: give --cabinet WxD too")


ROUTING = Option(
    "--routing",
    "How packets are routed: {names}; all of them that route the network.",
    metavar="A,B,…|all",
    completion="routings",
    names="routing_names",
    listed=True,
    meaning="names of routings",
)
TRAFFIC = Option(
    "--traffic",
    "What endpoints send: {names}, or files of a matrix; all patterns.",
    metavar="A,B,…|all",
    completion="patterns",
    names="pattern_names",
    listed=True,
    meaning="patterns of traffic",
)
VIRTUAL_CHANNELS = Option(
    "--vcs",
    "Virtual channels: as few as can be proven (auto), N at most, by a scheme ({names}), or none without a "
    "proof.",
    metavar="auto|N|SCHEME|none",
    names="scheme_names",
    argument="virtual_channels",
    reader=_scheme_or_count,
    meaning="as many at most, a scheme, auto or none",
)


@dataclass(frozen=True)
class RouteRequest:
    """What `topoctl route` routes a network by; constructing it checks it.

    Raises:
        InvalidParameters: a value out of range.
    """

    routing: Annotated[str, ROUTING] = "ecmp"
    traffic: Annotated[str, TRAFFIC] = "uniform"
    virtual_channels: Annotated[str | int, VIRTUAL_CHANNELS] = "auto"
    certificate: ClassVar[
        Annotated[
            Path | None,
            Option(
                "--certificate",
                "Write the proof that packets cannot deadlock: a number for every channel, rising along "
                "every "
                "path.",
                metavar="FILE.npz",
                file="file",
                meaning="the file of the proof that packets cannot deadlock",
            ),
        ]
    ]
    channels: ClassVar[
        Annotated[
            Path | None,
            Option(
                "--channels",
                "Write the virtual channel of every hop, to .csv or .npz: by input port, or by destination "
                "for layered schemes; those by destination to .conf too, for OpenSM, with GUIDs as in .lfts.",
                metavar="FILE",
                file="file",
                meaning="the file of the virtual channel tables",
            ),
        ]
    ]
    tables: ClassVar[
        Annotated[
            Path | None,
            Option(
                "--tables",
                "Write the next hops of all routers, to .csv, .txt, .npz, or to .lfts for OpenSM, with the "
                "GUIDs of `topoctl export -o FILE.ibsim`: put those of your fabric in their place.",
                metavar="FILE",
                file="file",
                meaning="the file of next hops",
            ),
        ]
    ]
    loads: ClassVar[
        Annotated[
            Path | None,
            Option(
                "--loads",
                "Write the load of every link in both directions.",
                metavar="FILE.csv",
                file="file",
                meaning="the file of the loads of all links",
            ),
        ]
    ]
    naming: ClassVar[Annotated[str | None, NAMES]]
    failed: Annotated[str | None, FAILED] = None
    fail: Annotated[
        str | None,
        replace(
            FAIL,
            help="Let so many links and routers fail, drawn by --seed; or every single one in turn, and tell "
            "the worst.",
            metavar="links=N,routers=N|each-link|each-router",
        ),
    ] = None
    repair: Annotated[
        Literal["least", "anew", "both"] | None,
        Option(
            "--repair",
            "Go round what has failed with the fewest changed entries, or with tables made anew, or compare "
            "both.",
            default="both; files hold the fewest changes",
            meaning="how tables go round what has failed",
        ),
    ] = None
    seed: Annotated[
        int, replace(SEED, help="Seed of the patterns and failures that are drawn at random.")
    ] = 1
    worst_case: Annotated[
        bool,
        Option("--worst-case", "Find the permutation of endpoints that loads a link most (slow)."),
    ] = False
    best: Annotated[
        bool,
        Option("--best", "Find the uniform throughput that no routing exceeds, by linear programs (slow)."),
    ] = False
    exact: Annotated[bool, replace(EXACT, help="Compute even what is refused as too much work.")] = False

    def __post_init__(self) -> None:
        check_options(self)
        refuse_failed_and_fail(self.failed, self.fail)
        if self.repair is not None and self.failed is None and self.fail is None:
            raise InvalidParameters("--repair goes round what has failed: give --failed FILE or --fail too")
        if (self.failed or self.fail) and (self.worst_case or self.best):
            raise InvalidParameters(
                "--worst-case and --best are of whole networks: leave out --failed and --fail"
            )


@dataclass(frozen=True)
class CheckRequest:
    """What `check` is asked."""

    naming: ClassVar[Annotated[str | None, NAMES]]
    match: ClassVar[
        Annotated[
            Literal["names", "anchors", "structure"] | None,
            Option(
                "--match",
                "Tell who is who by names; outward from systems that are known; or by the structure alone.",
                default="the best that there is",
                meaning="how it is told who is who",
            ),
        ]
    ]
    matching: ClassVar[
        Annotated[
            Path | None,
            Option(
                "--matching",
                "Write who is who: the systems of the plan and what was found for each.",
                metavar="FILE.csv",
                file="file",
                meaning="the list of who is who that is written",
            ),
        ]
    ]
    picture: ClassVar[
        Annotated[
            Path | None,
            Option(
                "--picture",
                "Draw the network as it is wired, links that no plan has in red.",
                metavar="FILE.{svg,png,pdf}",
                file="file",
                meaning="the picture that is written",
            ),
        ]
    ]


@dataclass(frozen=True)
class CableRequest:
    """How `topoctl cable` puts a network on a floor."""

    cables: ClassVar[
        Annotated[
            Path | None,
            Option(
                "--cables",
                "Write the list of all cables: rack, unit and port at both ends, medium, length, length "
                "to buy; or the plan of --for.",
                metavar="FILE.csv",
                also=("-o",),
                file="either",
                meaning="the cabling list that is written",
            ),
        ]
    ]
    target: ClassVar[
        Annotated[
            str | None,
            Option(
                "--for",
                "Write the plan for another tool instead, all endpoints included: {names}.",
                metavar="TOOL",
                completion="targets",
                names="target_names",
                argument="target",
                meaning="the tool whose files are written",
            ),
        ]
    ]
    naming: ClassVar[Annotated[str | None, NAMES]]
    endpoint_cables: Annotated[bool, Option("--endpoints", "List the cables to endpoints too.")] = False
    seed: Annotated[
        int, replace(SEED, help="Seed of the draws that place a network whose family has no placement.")
    ] = 1
    stock: Annotated[
        tuple[float, ...] | None,
        Option(
            "--stock",
            "Lengths in metres in which cables are sold, ascending.",
            metavar="M,M,…",
            unit="m",
            example="1,2.5,5",
        ),
    ] = None
    floor: Annotated[str | None, FLOOR] = None
    prices: Annotated[str | None, PRICES] = None
    electrical: Annotated[float | None, ELECTRICAL] = None
    sold: Annotated[tuple[int, ...] | None, SOLD] = None
    rack: Annotated[
        tuple[float, float] | None,
        Option("--rack", "Width and depth of a rack in metres.", metavar="WxD", unit="m", example="0.6x1.2"),
    ] = None
    aisle: Annotated[
        float | None, Option("--aisle", "Metres between two rows of racks.", metavar="M", unit="m")
    ] = None
    units: Annotated[int | None, Option("--units", "Units of a rack.", metavar="U", least=1)] = None
    routers_per_rack: Annotated[
        int | None, Option("--routers-per-rack", "Most routers in a rack.", metavar="R", least=1)
    ] = None
    overhead: Annotated[float | None, OVERHEAD] = None
    tray: Annotated[
        float | None,
        Option("--tray", "Metres from the top of the racks to the trays.", metavar="M", unit="m"),
    ] = None
    room: Annotated[
        tuple[float, float] | None,
        Option("--room", "Width and depth of the room in metres.", metavar="WxD", unit="m", example="12x20"),
    ] = None

    def __post_init__(self) -> None:
        check_options(self)


@dataclass(frozen=True)
class BoundsRequest:
    """Of which networks `topoctl bounds` says how short paths can be; constructing it checks it.

    Raises:
        InvalidParameters: a value out of range.
    """

    order: Annotated[int | None, replace(ROUTERS, least=2, most=MOST)] = None
    network_radix: Annotated[int | None, replace(LINKS, least=1)] = None
    concentration: Annotated[int | None, replace(ENDPOINTS, least=1, most=MOST)] = None
    router_radix: Annotated[
        int | None,
        replace(PORTS, help="Ports per router, k: links and endpoints.", least=2, most=2**16),
    ] = None
    endpoints: Annotated[
        int | None,
        Option(
            "--endpoints",
            "Least number of endpoints; with --router-radix alone, a row for every sensible split of the "
            "ports.",
            metavar="E",
            least=2,
            most=MOST,
            meaning="number of endpoints",
        ),
    ] = None

    def __post_init__(self) -> None:
        check_options(self)


@dataclass(frozen=True)
class LayoutBoundsRequest:
    """Of which networks on a floor `topoctl bounds grid` says how short paths can be; checked when made.

    Raises:
        InvalidParameters: a value out of range.
    """

    width: Annotated[int | None, replace(WIDTH, least=1)] = None
    height: Annotated[int | None, replace(HEIGHT, least=1)] = None
    network_radix: Annotated[int | None, replace(LINKS, least=1)] = None
    length_limit: Annotated[int | str | None, LENGTH_LIMIT] = None
    cabinet: Annotated[
        tuple[float, float] | None,
        replace(
            CABINET, help="Width and depth of cabinets in metres, with --l in metres.", default="0.6x2.1"
        ),
    ] = None
    overhead: Annotated[float | None, replace(OVERHEAD, default="0 with --cabinet, else 1")] = None
    layout: Annotated[
        Literal["grid", "diagrid"],
        Option("--layout", "Lengths along rows and columns, or along diagonals.", meaning="grid or diagrid"),
    ] = "grid"
    levels: Annotated[bool, Option("--levels", "Also what a corner reaches in 0, 1, 2, … hops.")] = False
    balanced: Annotated[
        bool, Option("--balanced", "The well-balanced pairs k', L instead, for k' from 3 to 16.")
    ] = False
    diameter: Annotated[
        int | None,
        Option(
            "--diameter",
            "With --balanced: also the least k' and L whose bounds allow diameter D.",
            metavar="D",
            least=1,
            unit="hops",
        ),
    ] = None

    def __post_init__(self) -> None:
        check_options(self)


@dataclass(frozen=True)
class EnumerationOptions:
    """Which networks `topoctl enumerate` lists; constructing it checks it.

    A range is a text ``a..b``, ``a..``, ``..b`` or ``a``.

    Attributes:
        families: names, or ``all``; none for all balanced networks of about 1000 endpoints.

    Raises:
        InvalidParameters: a value out of range.
    """

    families: tuple[str, ...] = ()
    order: Annotated[str | None, Option("--order", "Routers.", metavar=RANGE)] = None
    endpoints: Annotated[str | None, Option("--endpoints", "Endpoints.", metavar=RANGE)] = None
    links: Annotated[str | None, Option("--links", "Links between routers.", metavar=RANGE)] = None
    network_radix: Annotated[
        str | None, Option("--network-radix", "Links of the router that has most, k'.", metavar=RANGE)
    ] = None
    router_radix: Annotated[
        str | None,
        Option(
            "--router-radix",
            "Ports of the largest router: links and endpoints, k (HyperX, eq. 1).",
            metavar=RANGE,
        ),
    ] = None
    concentration: Annotated[
        str | None, Option("--concentration", "Endpoints per router, p.", metavar=RANGE)
    ] = None
    diameter: Annotated[str | None, Option("--diameter", "Hops.", metavar=RANGE)] = None
    aspl: Annotated[str | None, Option("--aspl", "Average hops between distinct routers.", metavar=RANGE)] = (
        None
    )
    moore_percent: Annotated[
        str | None,
        Option("--moore-percent", "Routers as a percentage of the Moore bound.", metavar=RANGE),
    ] = None
    balance: Annotated[
        str | None,
        Option(
            "--balance",
            "Concentration over the family's balanced one; above 1 is oversubscribed.",
            metavar=RANGE,
        ),
    ] = None
    relative_bisection: Annotated[
        str | None,
        Option(
            "--relative-bisection",
            "Bisection over half of the endpoints, from its closed form (HyperX, eq. 3).",
            metavar=RANGE,
        ),
    ] = None
    balanced: Annotated[
        bool, Option("--balanced", "Only networks that obey their family's whole rule of balance.")
    ] = False
    wide: Annotated[
        bool,
        Option("--wide", "Every structure: Dragonfly of any g and arrangement, FleX with nx > ny too."),
    ] = False
    fill_ports: Annotated[
        bool,
        Option(
            "--fill-ports",
            "Put random links (seed 0) into the ports that the largest --router-radix leaves empty: Slim "
            "Fly.",
        ),
    ] = False
    sort: Annotated[
        str | None,
        Option(
            "--sort",
            "Quantities separated by commas, - before one for largest first; also endpoint_aspl and "
            "degree_times_diameter.",
            metavar="KEYS",
            default="diameter, aspl, router_radix, order, concentration",
            listed=True,
            meaning="quantities, a minus before one for largest first",
        ),
    ] = None
    top: Annotated[int, Option("--top", "Instances to print; 0 for all.", metavar="COUNT", least=0)] = 20
    each: Annotated[int | None, EACH] = None

    def __post_init__(self) -> None:
        check_options(self)

    @property
    def ranges(self) -> dict[str, str]:
        """The ranges that are asked for, by quantity."""
        given = {name: getattr(self, name) for name in QUANTITIES}
        return {name: text for name, text in given.items() if text is not None}


QUANTITIES = (
    *("order", "endpoints", "links", "network_radix", "router_radix", "concentration", "diameter", "aspl"),
    *("moore_percent", "balance", "relative_bisection"),
)
"""The fields of an enumeration that are ranges. Balance: concentration over the balanced one. Relative
bisection: links between halves, from the closed form, over half of the endpoints (FleX, eq. 3)."""
