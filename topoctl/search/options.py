"""Options that the requests of several searches share."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

from topoctl.errors import InvalidParameters
from topoctl.options import Option
from topoctl.options.shared import ENDPOINTS, LINKS, PORTS, SEED, SEEDS
from topoctl.seeds import MAX_SEED

MAX_INDIVIDUALS, MAX_EPOCHS, MAX_EVALUATIONS, MAX_SECONDS = 10**5, 10**9, 10**15, 10**9
"""Ranges of every search's request: beyond all sense, within all counters; 10^9 s are 31 years."""

Preset = Annotated[
    str | None,
    Option(
        "--preset",
        "Take what other options leave open from a preset (see: topoctl presets list).",
        metavar="NAME",
        completion="presets",
    ),
]

NetworkRadix = Annotated[int, LINKS]
Concentration = Annotated[int | None, replace(ENDPOINTS, least=0, most=2**31 - 1, default="balanced")]
RouterRadix = Annotated[
    int | None, replace(PORTS, help="Ports per router, k, with --p, instead of k' = k - p.")
]

ObjectiveName = Literal["product", "lexicographic"]
Objective = Annotated[
    ObjectiveName,
    Option("--objective", "ASPL times diameter, or diameter first.", meaning="what the search minimizes"),
]
Population = Annotated[
    int, Option("--population", "Individuals of an island.", metavar="COUNT", least=2, most=MAX_INDIVIDUALS)
]

SECONDS = Option("--seconds", "Planned time.", metavar="S", above=0, most=MAX_SECONDS, unit="s", default="20")
EVALUATIONS = Option(
    "--evaluations",
    "Planned number of networks scored, instead of a time.",
    metavar="E",
    least=1,
    most=MAX_EVALUATIONS,
    meaning="planned number of networks scored",
)
Seconds = Annotated[float | None, SECONDS]
Evaluations = Annotated[int | None, EVALUATIONS]
MOVES = Option(
    "--moves",
    "Planned moves of a replica, instead of a time.",
    metavar="M",
    least=1,
    most=MAX_EVALUATIONS,
    meaning="planned moves of a replica, or of a child of an epoch",
)
Moves = Annotated[int | None, MOVES]
Replicas = Annotated[
    int,
    Option("--replicas", "Networks annealed side by side.", metavar="COUNT", least=1, most=MAX_INDIVIDUALS),
]
Stagnation = Annotated[
    int | None,
    Option(
        "--stagnation",
        "End after this many epochs without improvement.",
        metavar="EPOCHS",
        least=1,
        most=MAX_EPOCHS,
    ),
]

Seed = Annotated[int, replace(SEED, most=MAX_SEED)]
Seeds = Annotated[tuple[int, ...] | None, SEEDS]
Top = Annotated[
    int,
    Option(
        "--top",
        "Distinct networks to report, 1 or more: a search keeps no others.",
        metavar="COUNT",
        least=1,
        most=MAX_INDIVIDUALS,
        because="a search keeps no more than it reports, so 0 is not for all",
    ),
]


def check_islands(islands: int, population: int) -> None:
    """Refuse more individuals than a search of populations can keep.

    Raises:
        InvalidParameters: there are more.
    """
    if islands * population > MAX_INDIVIDUALS:
        raise InvalidParameters(
            f"{islands} islands of population {population}: expected at most {MAX_INDIVIDUALS} individuals "
            "in all"
        )


def check_work(seconds: float | None, evaluations: int | None = None, moves: int | None = None) -> None:
    """Refuse work that is planned both by time and by count.

    Raises:
        InvalidParameters: it is.
    """
    for name, count in (("evaluations", evaluations), ("moves", moves)):
        if seconds is not None and count is not None:
            raise InvalidParameters(f"seconds and {name} exclude each other; give one of them")
