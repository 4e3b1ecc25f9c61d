"""The options of `topoctl route`; `topoctl simulate` has some of them too."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from topoctl.errors import InvalidParameters
from topoctl.options import Option, check_options
from topoctl.options.shared import EXACT, FAIL, FAILED, NAMES, SEED, refuse_failed_and_fail


def _scheme_or_count(text: str) -> str | int:
    """A number of virtual channels, or the name of a scheme."""
    word = text.strip().lower()
    return int(word) if re.fullmatch(r"-?[0-9]{1,20}", word) else word


ROUTING = Option(
    "--routing",
    "How packets are routed: {names}, or files of tables; all that route the network.",
    metavar="A,B,…|all",
    completion="routings",
    names="routing_names",
    listed=True,
    meaning="names of routings, or files of tables",
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
                "GUIDs of `topoctl export -o FILE.ibsim` or of --guids.",
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
    guids: ClassVar[
        Annotated[
            Path | None,
            Option(
                "--guids",
                "Take the GUIDs in .lfts and .conf from your fabric, wired and named as the plan: what "
                "ibnetdiscover prints, or OpenSM's subnet.lst.",
                metavar="FOUND",
                file="file",
                meaning="the file that tells the GUIDs of the fabric",
            ),
        ]
    ]
    naming: ClassVar[Annotated[str | None, NAMES]]
    failed: Annotated[str | None, FAILED] = None
    fail: Annotated[
        str | None,
        replace(
            FAIL,
            help="Fail links=N,routers=N, drawn by --seed; or each-link or each-router in turn, and report "
            "the worst.",
            metavar="COUNTS|each-link|each-router",
        ),
    ] = None
    repair: Annotated[
        Literal["least", "anew", "both"] | None,
        Option(
            "--repair",
            "Route around failures with the fewest changed entries, with all tables made anew, or compare "
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
    exact: Annotated[bool, replace(EXACT, help="Compute even what would be refused as too much work.")] = (
        False
    )

    def __post_init__(self) -> None:
        check_options(self)
        refuse_failed_and_fail(self.failed, self.fail)
        if self.repair is not None and self.failed is None and self.fail is None:
            raise InvalidParameters("--repair goes round what has failed: give --failed FILE or --fail too")
        if (self.failed or self.fail) and (self.worst_case or self.best):
            raise InvalidParameters(
                "--worst-case and --best are of whole networks: leave out --failed and --fail"
            )
