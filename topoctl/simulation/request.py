"""What `topoctl simulate` is asked for."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from topoctl.errors import InvalidParameters, quoted
from topoctl.measuring_requests import ROUTING, TRAFFIC, VIRTUAL_CHANNELS
from topoctl.options import Option, check_options
from topoctl.shared_options import SEED, SEEDS
from topoctl.simulation.routers import Routers

CYCLES, WORK_CYCLES = 100_000, 10**9
"""After which a point of a load ends, and work that is not completed."""
LOADS = tuple(tenth / 10 for tenth in range(1, 11))
MOST_LOADS = 1000
OF_FILES = ("replay", "packets", "curve")
"""Options of the command alone: what it reads and writes beside the points."""
OF_WORK = ("work", "message_bytes", "ranks", "placement", "flit_bytes", "clock")
"""Options of work to be completed."""
NUMBER = r"([0-9]*\.?[0-9]+)"
SIZE = re.compile(r"([0-9]{1,15})(b|kb|mb|gb|kib|mib|gib)?", re.IGNORECASE)
UNITS = {
    **{"": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9},
    **{"kib": 2**10, "mib": 2**20, "gib": 2**30},
}
MOST_BYTES, MOST_RANKS = 10**15, 10**7


def read_loads(text: str) -> tuple[float, ...]:
    """Read loads: numbers separated by commas, or from a first to a last one by equal steps.

    Raises:
        InvalidParameters: the text is neither.

    Example:
        >>> read_loads("0.1..0.4:0.1"), read_loads("0.5,0.95")
        ((0.1, 0.2, 0.3, 0.4), (0.5, 0.95))
    """
    expected = "expected loads above 0 up to 1, such as 0.1,0.5 or 0.1..0.9:0.1"
    if steps := re.fullmatch(rf"{NUMBER}\.\.{NUMBER}:{NUMBER}", text.strip()):
        first, last, step = (Fraction(number) for number in steps.groups())
        if not step or (last - first) / step >= MOST_LOADS:
            raise InvalidParameters(f"--load {quoted(text)}: {expected}, {MOST_LOADS} at most")
        found = tuple(float(first + place * step) for place in range(int((last - first) // step) + 1))
    elif re.fullmatch(rf"{NUMBER}([ ]*,[ ]*{NUMBER})*", text.strip()):
        found = tuple(float(number) for number in text.split(","))
    else:
        found = ()
    if not found or not all(0 < load <= 1 for load in found):
        raise InvalidParameters(f"--load {quoted(text)}: {expected}")
    return found


def read_bytes(text: str) -> int:
    """Read a number of bytes, perhaps with a unit.

    Raises:
        InvalidParameters: the text is none.

    Example:
        >>> read_bytes("64KiB"), read_bytes("2MB"), read_bytes("100")
        (65536, 2000000, 100)
    """
    found = SIZE.fullmatch(text.strip())
    size = int(found[1]) * UNITS[(found[2] or "").lower()] if found else -1
    if not 0 <= size <= MOST_BYTES:
        raise InvalidParameters(
            f"--bytes {quoted(text)}: expected bytes, such as 4096, 64KiB or 1MB, 10^15 at most"
        )
    return size


@dataclass(frozen=True)
class SimulationRequest:
    """What `topoctl simulate` simulates, and how; constructing it checks it.

    Raises:
        InvalidParameters: a value out of range.
    """

    routing: Annotated[str, ROUTING] = "ecmp"
    traffic: Annotated[str, TRAFFIC] = "uniform"
    load: Annotated[
        tuple[float, ...],
        Option(
            "--load",
            "Loads to offer, as shares of the endpoints' links: a list, or FIRST..LAST:STEP.",
            metavar="LOADS",
            default="0.1..1:0.1",
            reader=read_loads,
            meaning="offered loads",
        ),
    ] = LOADS
    saturation: Annotated[
        bool, Option("--saturation", "Find the largest load that is accepted, by bisection, instead.")
    ] = False
    work: Annotated[
        str | None,
        Option(
            "--work",
            "Simulate work until it is done, in place of loads: {names}, or files .goal and .cm; A+B are two "
            "jobs at once.",
            metavar="A,B,…",
            completion="workloads",
            names="workload_names",
            listed=True,
            meaning="work to be completed",
        ),
    ] = None
    message_bytes: Annotated[
        int,
        Option(
            "--bytes",
            "Bytes of a message of --work, or of a vector that is reduced, as 64KiB.",
            metavar="BYTES",
            default="4KiB",
            reader=read_bytes,
            argument="message_bytes",
            least=0,
            most=MOST_BYTES,
            unit="bytes",
        ),
    ] = 4096
    ranks: Annotated[
        int | None,
        Option(
            "--ranks",
            "Ranks of a job of --work.",
            metavar="N",
            least=2,
            most=MOST_RANKS,
            default="all endpoints",
            meaning="ranks of a job",
        ),
    ] = None
    placement: Annotated[
        Literal["contiguous", "random", "routers", "groups"],
        Option(
            "--placement",
            "Ranks on endpoints in their order, or at random: each, routers whole, or the family's groups.",
        ),
    ] = "contiguous"
    flit_bytes: Annotated[
        int,
        Option(
            "--flit-bytes",
            "Bytes of --work that a flit carries.",
            metavar="BYTES",
            least=1,
            most=10**6,
            unit="bytes",
        ),
    ] = 64
    clock: Annotated[
        float,
        Option(
            "--clock",
            "Cycles in a nanosecond, for the times in files of --work.",
            metavar="GHZ",
            above=0,
            most=1000,
            unit="GHz",
        ),
    ] = 1.0
    virtual_channels: Annotated[str | int, VIRTUAL_CHANNELS] = "auto"
    unproven: Annotated[
        bool,
        Option("--unproven", "Simulate even what may deadlock; a deadlock is found and named."),
    ] = False
    class_width: Annotated[
        int,
        Option(
            "--class-width",
            "Virtual channels side by side in place of each that --vcs counts.",
            metavar="N",
            least=1,
            most=64,
            meaning="virtual channels of a class",
        ),
    ] = 2
    buffer: Annotated[
        int,
        Option("--buffer", "Flits that a virtual channel holds.", metavar="FLITS", least=1, most=32_767),
    ] = 64
    speedup: Annotated[
        int,
        Option("--speedup", "Steps that a router makes inside in a cycle.", metavar="N", least=1, most=16),
    ] = 2
    routing_delay: Annotated[
        int,
        Option(
            "--routing-delay",
            "Steps that a router takes to route a packet; 0 where the router before does it.",
            metavar="0|1",
            least=0,
            most=1,
        ),
    ] = 0
    credit_delay: Annotated[
        int,
        Option(
            "--credit-delay",
            "Cycles until a router uses a credit that came back.",
            metavar="CYCLES",
            least=0,
            most=1000,
            unit="cycles",
        ),
    ] = 2
    packet_size: Annotated[
        int, Option("--packet-size", "Flits of a packet.", metavar="FLITS", least=1, most=10_000)
    ] = 1
    precision: Annotated[
        float,
        Option(
            "--precision",
            "End a point when half of the 95% interval of its mean latency is this share of it.",
            metavar="SHARE",
            above=0,
            most=1,
        ),
    ] = 0.01
    cycles: Annotated[
        int | None,
        Option(
            "--cycles",
            "End a point after so many cycles in any case.",
            metavar="N",
            least=1000,
            most=10**9,
            default=f"{CYCLES:,}, and 10^9 for --work",
        ),
    ] = None
    seed: Annotated[int, replace(SEED, help="Seed of all random draws.")] = 1
    seeds: ClassVar[
        Annotated[
            tuple[int, ...] | None,
            replace(SEEDS, help="Simulate every point once with each of these seeds; its row is the mean."),
        ]
    ]
    replay: ClassVar[
        Annotated[
            Path | None,
            Option(
                "--replay",
                "Send the packets of this file instead of a pattern's; for a BookSim configuration.",
                metavar="FILE.tsv",
                file="file",
                meaning="the file of the packets that are sent",
            ),
        ]
    ]
    packets: ClassVar[
        Annotated[
            Path | None,
            Option(
                "--packets",
                "Write what became of every packet; for a BookSim configuration.",
                metavar="FILE.tsv",
                file="file",
                meaning="the file of what became of every packet",
            ),
        ]
    ]
    curve: ClassVar[
        Annotated[
            Path | None,
            Option(
                "--curve",
                "Draw latency by offered load, a curve for every network, routing and traffic.",
                metavar="FILE.png|.svg|.pdf",
                file="file",
                meaning="the file of the curves",
            ),
        ]
    ]

    def __post_init__(self) -> None:
        check_options(self)
        if self.cycles is None:
            object.__setattr__(self, "cycles", CYCLES if self.work is None else WORK_CYCLES)
        loads = (self.load, self.saturation, self.traffic)
        if self.work is not None and loads != (LOADS, False, "uniform"):
            raise InvalidParameters(
                "--work is sent as soon as it is ready: expected no --load, --saturation or --traffic with it"
            )

    @property
    def most_cycles(self) -> int:
        """Cycles after which a point, or work, ends in any case."""
        assert self.cycles is not None
        return self.cycles

    @property
    def routers(self) -> Routers:
        """What the routers are like."""
        return Routers(
            width=self.class_width,
            buffer=self.buffer,
            speedup=self.speedup,
            lookahead=self.routing_delay == 0,
            credit_delay=self.credit_delay,
            flits=self.packet_size,
        )
