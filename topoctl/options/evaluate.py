"""The options of `topoctl evaluate`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Literal

from topoctl.errors import InvalidParameters
from topoctl.options import Option, check_options
from topoctl.options.shared import (
    CABINET,
    EACH,
    ELECTRICAL,
    ENDPOINTS,
    EXACT,
    FAIL,
    FAILED,
    FLOOR,
    NAMES,
    OVERHEAD,
    PLANES,
    PRICES,
    SEED,
    SOLD,
    refuse_failed_and_fail,
)

ON_A_PAGE = (
    "What routers are called on the page of --report: patterns, a file, or none; kept with the run of --run."
)


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
        Option(
            "--partitioner", "Program that finds the halvings; kahip must be installed.", default="topoctl"
        ),
    ] = None
    partition_seconds: Annotated[
        float | None,
        Option(
            "--partition-seconds",
            "Begin no further halving after this time.",
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
    planes: Annotated[
        tuple[int, ...] | None,
        replace(
            PLANES,
            help="A row for each number of planes: equal copies of the network, with a port of full speed in "
            "each at every endpoint; cost and power are those of all.",
            metavar="N,N,…",
            example="1,2,4",
        ),
    ] = None
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
        if self.planes is not None and self.convention is not None:
            raise InvalidParameters("--planes excludes --convention: papers price one plane")
        if self.planes is not None and (self.failed is not None or self.fail is not None):
            raise InvalidParameters("--planes excludes --failed and --fail: all planes are alike")
        if self.planes is not None and len({*self.planes}) < len(self.planes):
            raise InvalidParameters(f"--planes {','.join(map(str, self.planes))}: expected each number once")
        if self.overhead is not None and self.cabinet is None:
            raise InvalidParameters("--overhead is for cables between cabinets: give --cabinet WxD too")
