"""Options that several requests share: sizes of networks, seeds, cabinets, floors and prices."""

from __future__ import annotations

from topoctl.errors import InvalidParameters
from topoctl.options import Option
from topoctl.seeds import seeds_named

ROUTERS = Option("--n", "Routers.", metavar="N")
LINKS = Option("--k", "Links per router, k'.", metavar="K'", also=("--network-radix",))
ENDPOINTS = Option("--p", "Endpoints per router.", metavar="P", also=("--endpoints-per-router",))
PORTS = Option("--router-radix", "Ports per router, k.", metavar="K")

WIDTH = Option("--width", "Routers per row.", metavar="W")
HEIGHT = Option("--height", "Rows.", metavar="H")
LENGTH_LIMIT = Option(
    "--l",
    "Longest link, in steps of the layout, or in metres of cable between cabinets, as 7.5m.",
    metavar="L|METRESm",
    unit="steps of the layout",
    typed=int | str,
    meaning="longest link",
)
CABINET = Option(
    "--cabinet",
    "Width and depth of cabinets in metres.",
    metavar="WxD",
    unit="m",
    example="0.6x2.1",
    meaning="width and depth of a cabinet",
)
OVERHEAD = Option(
    "--overhead",
    "Metres of extra cable at each of its two ends.",
    metavar="M",
    unit="m",
    meaning="extra cable at each of its two ends",
)

EACH = Option(
    "--each",
    "Only the best COUNT of every family, by --sort.",
    metavar="COUNT",
    least=1,
    meaning="networks of a family, at most",
)

SEED = Option("--seed", "Seed of all random draws.", metavar="SEED", least=0)
SEEDS = Option(
    "--seeds",
    "Run once with each of these seeds, as one group of the study; 8 is 1..8.",
    metavar="A..B|A,B,…|COUNT",
    reader=seeds_named,
)
EXACT = Option("--exact", "Measure all routers, however long it takes.")

FLOOR = Option(
    "--floor",
    "Racks, rows and ways of cables: racks42, slimfly2014, flex2022, equality2022, grid2016, or your "
    "own file.",
    metavar="NAME|FILE.toml",
    completion="floors",
    default="racks42",
)
NAMES = Option(
    "--names",
    "What routers, endpoints and ports are called: 'sw-{rack}-{unit:02},port=swp{n}', a file of patterns and "
    "lists, or none; kept with the run of --run.",
    metavar="KEY=PATTERN,…|FILE.toml|none",
    default="those kept with the run",
)
PRICES = Option(
    "--prices",
    "Prices and power of routers and cables: fdr10, edr, qdr, slimfly2014, or your own file.",
    metavar="NAME|FILE.toml",
    completion="prices",
    default="fdr10",
    meaning="preset, or name of a file, of prices",
)
SOLD = Option(
    "--sold",
    "Ports of the routers on sale: buy each router as the smallest that has enough, at its price and power.",
    metavar="K,K,…",
    least=1,
    most=2**16,
    example="24,36,48,64",
    meaning="ports of the routers that are sold",
)
ELECTRICAL = Option(
    "--electrical",
    "Use electrical cables up to this length in metres, whatever the prices say.",
    metavar="M",
    unit="m",
    meaning="cables up to this length are electrical",
)

MOST_PLANES = 64

PLANES = Option(
    "--planes",
    "Copies of the network, each with a port of its own, of full speed, at every endpoint.",
    metavar="N",
    least=1,
    most=MOST_PLANES,
    meaning="equal copies of the network, of which every endpoint is in each",
)

FAILED = Option(
    "--failed",
    "File of failed links and routers: a line each, with the two routers of a link or with one router.",
    metavar="FILE|-",
    file="file",
    meaning="the file of what has failed",
)
FAIL = Option(
    "--fail",
    "Fail this many links and routers, drawn by --seed.",
    metavar="links=N,routers=N",
    meaning="how many links and routers fail",
)


def refuse_failed_and_fail(failed: str | None, fail: str | None) -> None:
    """Raise InvalidParameters where failures are told and drawn."""
    if failed is not None and fail is not None:
        raise InvalidParameters("--failed and --fail exclude each other: failures are told, or drawn")
