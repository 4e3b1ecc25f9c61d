"""The options of `topoctl cable` and `topoctl check`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from topoctl.options import Option, check_options
from topoctl.options.shared import ELECTRICAL, FLOOR, NAMES, OVERHEAD, PLANES, PRICES, SEED, SOLD


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
    planes: Annotated[int, PLANES] = 1
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
class CheckRequest:
    """What `check` is asked."""

    naming: ClassVar[Annotated[str | None, NAMES]]
    planes: ClassVar[
        Annotated[
            int | None,
            replace(PLANES, help="Copies of the network that is planned; a list of cables tells its own."),
        ]
    ]
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
