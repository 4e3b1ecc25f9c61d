"""What `topoctl simulate` is asked for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from topoctl.errors import InvalidParameters, quoted
from topoctl.options import Option, check_options, options_of
from topoctl.options.route import ROUTING, TRAFFIC, VIRTUAL_CHANNELS
from topoctl.options.shared import CABINET, FLOOR, OVERHEAD, SEED, SEEDS
from topoctl.simulation.routers import Routers

CYCLES, WORK_CYCLES = 100_000, 10**9
"""After which a point of a load ends, and work and packets of a file that are not over."""
LOADS = tuple(tenth / 10 for tenth in range(1, 11))
MOST_LOADS = 1000
OF_FILES = ("packets", "curve")
"""Options of the command alone: what it writes beside the points."""
BURSTS_OF_A_RUN = 10
"""At load 1, at least."""
PACKETS_OF_A_RUN = 10
"""Packets of the longest size that a source could send within a run, at least."""
MOST_WINDOWS = 10_000
MOST_FLITS = 10_000
"""Of a packet."""
OF_WORK = ("work", "message_bytes", "ranks", "placement", "flit_bytes")
"""Options of work to be completed, which say nothing of loads."""
OF_DRAWS = ("load", "saturation", "traffic", "bursts", "then", "every", "precision")
"""Options of packets that are drawn."""
OF_LOADS = (*OF_DRAWS, "histogram", "replay")
"""Options that say nothing of work."""
LEAST_WINDOW = 10
"""Cycles of a row of numbers by time."""
NUMBER = r"([0-9]*\.?[0-9]+(?:e-?[0-9])?)"
SIZE = re.compile(r"([0-9]{1,15})(b|kb|mb|gb|tb|kib|mib|gib|tib)?", re.IGNORECASE)
UNITS = {
    **{"": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12},
    **{"kib": 2**10, "mib": 2**20, "gib": 2**30, "tib": 2**40},
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


Sizes = tuple[tuple[int, Fraction], ...]
"""Flits of packets, and the share of the packets that have so many."""


def read_sizes(text: str | int) -> Sizes:
    """Read the flits of packets: a number, or several with the share of the packets that have so many.

    Raises:
        InvalidParameters: the text is neither, or the shares are not the whole.

    Example:
        >>> read_sizes(4), read_sizes("1:0.75,5:0.25")
        (((4, Fraction(1, 1)),), ((1, Fraction(3, 4)), (5, Fraction(1, 4))))
    """
    sizes = str(text).split(",")
    if len(sizes) == 1 and ":" not in sizes[0]:
        sizes = [f"{sizes[0]}:1"]
    found = [re.fullmatch(r"\s*([0-9]{1,6})\s*:\s*([0-9]*\.?[0-9]+)\s*", size) for size in sizes]
    said = f"--packet-size {quoted(str(text))}"
    if not all(found):
        raise InvalidParameters(
            f"{said}: expected flits, such as 4, or shares of packets, such as 1:0.7,5:0.3"
        )
    read = tuple((int(size[1]), Fraction(size[2])) for size in found if size)
    if not all(1 <= flits <= MOST_FLITS for flits, _ in read):
        raise InvalidParameters(f"{said}: expected packets of 1..{MOST_FLITS} flits")
    whole = sum(share for _, share in read)
    if whole != 1 or not all(share for _, share in read):
        raise InvalidParameters(f"{said}: expected shares above 0 that add up to 1, not {float(whole):g}")
    return read


def _flits_or_mix(text: str) -> int | str:
    """One number of flits, or a mix of several."""
    sizes = read_sizes(text)
    return sizes[0][0] if len(sizes) == 1 else text.strip()


def read_changes(text: str) -> tuple[tuple[int, str], ...]:
    """Read changes of traffic: patterns, each with the cycle from which on it is sent.

    Raises:
        InvalidParameters: the text is none, or the cycles do not ascend.

    Example:
        >>> read_changes("tornado@5000, hotspot(percent=5,endpoint=3)@9000")
        ((5000, 'tornado'), (9000, 'hotspot(percent=5,endpoint=3)'))
    """
    found = [re.fullmatch(r"(.+)@([0-9]{1,10})", one.strip()) for one in re.split(r",(?![^(]*\))", text)]
    said = f"--then {quoted(text)}"
    if not all(found):
        raise InvalidParameters(f"{said}: expected patterns with cycles, such as adversarial@10000")
    changes = tuple((int(one[2]), one[1].strip()) for one in found if one)
    cycles = [0, *(cycle for cycle, _ in changes)]
    if any(cycle >= after for cycle, after in pairwise(cycles)):
        raise InvalidParameters(f"{said}: expected cycles of 1 or more that ascend")
    return changes


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
    replay: Annotated[
        str | None,
        Option(
            "--replay",
            "Send the packets of this file, each once, in place of loads: source, ctime, destination, "
            "perhaps flits.",
            metavar="FILE.tsv",
            file="file",
            meaning="the file of the packets that are sent",
        ),
    ] = None
    virtual_channels: Annotated[str | int, VIRTUAL_CHANNELS] = "auto"
    unproven: Annotated[
        bool,
        Option("--unproven", "Simulate even routings that may deadlock; report the deadlock if one occurs."),
    ] = False
    class_width: Annotated[
        int,
        Option(
            "--class-width",
            "Virtual channels side by side for each one that --vcs counts.",
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
        Option("--speedup", "Internal steps of a router per cycle.", metavar="N", least=1, most=16),
    ] = 2
    routing_delay: Annotated[
        int,
        Option(
            "--routing-delay",
            "Steps to route a packet; 0 if the previous router does it.",
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
        int | str,
        Option(
            "--packet-size",
            "Flits of a packet; or several sizes, each with its share of the packets.",
            metavar="FLITS|FLITS:SHARE,…",
            reader=_flits_or_mix,
            example="1:0.7,5:0.3",
            meaning="flits of packets; of several, each with its share of the packets",
        ),
    ] = 1
    bursts: Annotated[
        float | None,
        Option(
            "--bursts",
            "Send in bursts: at load 1 for this many cycles on average, then nothing until the load is met.",
            metavar="CYCLES",
            least=1,
            most=10**6,
            unit="cycles",
        ),
    ] = None
    then: Annotated[
        str | None,
        Option(
            "--then",
            "Change the traffic at this cycle; measure from the last change to --cycles.",
            metavar="PATTERN@CYCLE,…",
            meaning="traffic that is sent from a cycle on",
        ),
    ] = None
    every: Annotated[
        int | None,
        Option(
            "--every",
            "Also report latency, accepted load and loads of links over time: a row for each interval of "
            "this many cycles.",
            metavar="CYCLES",
            least=LEAST_WINDOW,
            most=10**9,
            unit="cycles",
        ),
    ] = None
    histogram: Annotated[bool, Option("--histogram", "Count the packets by latency, in JSON.")] = False
    clock: Annotated[
        float | None,
        Option(
            "--clock",
            "Cycles per nanosecond: also report times in nanoseconds, and the bandwidth of --work; 1 for "
            "times in files of --work.",
            metavar="GHZ",
            above=0,
            most=1000,
            unit="GHz",
        ),
    ] = None
    floor: Annotated[
        str | None,
        replace(
            FLOOR,
            help="With --clock: put the network on this floor, and let cables take 5 ns a metre: racks42, "
            "slimfly2014, flex2022, equality2022, grid2016, or your own file.",
            default="links of one cycle",
        ),
    ] = None
    cabinet: Annotated[
        tuple[float, float] | None,
        replace(
            CABINET,
            help="With --clock: put the network in cabinets of this width and depth in metres, where a "
            "layout or a family's placement does, and let cables take 5 ns a metre.",
        ),
    ] = None
    overhead: Annotated[float | None, replace(OVERHEAD, default="0")] = None
    precision: Annotated[
        float,
        Option(
            "--precision",
            "End a point when the half-width of the 95% interval is this share of the mean latency.",
            metavar="SHARE",
            above=0,
            most=1,
        ),
    ] = 0.01
    cycles: Annotated[
        int | None,
        Option(
            "--cycles",
            "End a point after this many cycles at the latest.",
            metavar="N",
            least=1000,
            most=10**9,
            default=f"{CYCLES:,}, and 10^9 for --work and --replay",
        ),
    ] = None
    seed: Annotated[int, replace(SEED, help="Seed of all random draws.")] = 1
    seeds: ClassVar[
        Annotated[
            tuple[int, ...] | None,
            replace(SEEDS, help="Simulate every point once with each of these seeds; its row is the mean."),
        ]
    ]
    packets: ClassVar[
        Annotated[
            Path | None,
            Option(
                "--packets",
                "Write what became of every packet of the one point that is simulated: its cycles and hops.",
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
                "Draw latency by offered load (by time with --every), a curve for each network and routing.",
                metavar="FILE.png|.svg|.pdf",
                file="file",
                meaning="the file of the curves",
            ),
        ]
    ]

    def __post_init__(self) -> None:
        check_options(self)
        if not self.load or not all(0 < load <= 1 for load in self.load):
            raise InvalidParameters(f"--load {list(self.load)}: expected loads above 0 up to 1")
        if self.cycles is None:
            object.__setattr__(self, "cycles", WORK_CYCLES if self.work or self.replay else CYCLES)
        if self.work is not None:
            self._refuse_beside_work()
        elif words := self.given(OF_WORK):
            raise InvalidParameters(f"{', '.join(words)}: only of work; expected --work too")
        if self.replay is not None and (words := self.given(OF_DRAWS)):
            raise InvalidParameters(
                f"--replay sends the packets of a file: expected no {', '.join(words)} with it"
            )
        self._refuse_what_takes_longer()
        for name, given in (("--then", self.then), ("--every", self.every)):
            if given is not None and self.saturation:
                raise InvalidParameters(f"{name} is for one run, and --saturation makes many: give either")
        if self.clock is None and (self.floor or self.cabinet):
            raise InvalidParameters("--floor and --cabinet tell lengths of cables: give --clock GHZ too")
        if self.floor and self.cabinet:
            raise InvalidParameters("--floor and --cabinet are two placements: give either")
        if self.overhead is not None and self.cabinet is None:
            raise InvalidParameters("--overhead is for cables between cabinets: give --cabinet WxD too")

    def _refuse_beside_work(self) -> None:
        """Raise InvalidParameters for options of loads."""
        if given := self.given(OF_LOADS):
            raise InvalidParameters(
                f"--work is sent as soon as it is ready: expected no {', '.join(given)} with it"
            )
        if len(read_sizes(self.packet_size)) > 1:
            raise InvalidParameters(
                f"--packet-size {self.packet_size}: expected one number of flits for --work"
            )

    def given(self, names: tuple[str, ...]) -> list[str]:
        """Return the words of those options that are not at their defaults."""
        known = options_of(SimulationRequest)
        return [known[name].word for name in names if getattr(self, name) != getattr(type(self), name)]

    def _refuse_what_takes_longer(self) -> None:
        """Raise InvalidParameters for what does not come to pass within the cycles."""
        cycles = self.most_cycles
        longest = max(flits for flits, _ in read_sizes(self.packet_size))
        if longest * PACKETS_OF_A_RUN > cycles:
            most = cycles // PACKETS_OF_A_RUN
            raise InvalidParameters(
                f"--packet-size {self.packet_size}: expected at most {most} flits, "
                f"so that a source can send {PACKETS_OF_A_RUN} packets in --cycles {cycles}"
            )
        if self.bursts is not None and self.bursts * BURSTS_OF_A_RUN > cycles:
            raise InvalidParameters(
                f"--bursts {self.bursts:g}: expected at most {cycles // BURSTS_OF_A_RUN}, so that "
                f"there are {BURSTS_OF_A_RUN} of them in --cycles {cycles}"
            )
        if self.changes and self.changes[-1][0] >= cycles:
            raise InvalidParameters(
                f"--then {quoted(str(self.then))}: expected cycles below --cycles {cycles}"
            )
        if self.every is not None and not cycles / MOST_WINDOWS <= self.every <= cycles:
            raise InvalidParameters(
                f"--every {self.every}: expected {max(LEAST_WINDOW, -(-cycles // MOST_WINDOWS))}..{cycles}, "
                f"for {MOST_WINDOWS:,} rows at most of --cycles {cycles}"
            )

    @property
    def changes(self) -> tuple[tuple[int, str], ...]:
        """The cycles of the changes of traffic, ascending, and the patterns from then on."""
        return read_changes(self.then) if self.then is not None else ()

    @property
    def traffics(self) -> tuple[str, ...]:
        """The patterns that are sent, one after the other."""
        return (self.traffic, *(text for _, text in self.changes))

    @property
    def sent(self) -> str:
        """What traffic is called that is made of these patterns."""
        return ", then ".join((self.traffic, *(f"{text}@{cycle}" for cycle, text in self.changes)))

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
        )


def name_of_point(asked: Mapping[str, Any]) -> str:
    """What a point is called by what was asked for: its routing, its traffic and load, or its work.

    Args:
        asked: the fields of its request.

    Example:
        >>> name_of_point({"routing": "ecmp", "work": "broadcast", "replay": None})
        'ecmp, broadcast'
        >>> sent = {"traffic": "uniform", "then": "half@500", "saturation": False, "load": [0.5]}
        >>> name_of_point({"routing": "ecmp", "work": None, "replay": None, **sent})
        'ecmp, uniform, then half@500, 0.5'
    """
    alone = asked["work"] or asked["replay"]
    if alone is not None:
        return f"{asked['routing']}, {alone}"
    then = () if asked["then"] is None else (f"then {asked['then']}",)
    load = "saturation" if asked["saturation"] else f"{asked['load'][0]:g}"
    return ", ".join((asked["routing"], asked["traffic"], *then, load))
