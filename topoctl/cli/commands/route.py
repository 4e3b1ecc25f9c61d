"""``topoctl route``."""

from __future__ import annotations

import re
from pathlib import Path

import rich_click as click

from topoctl.cli import completion
from topoctl.cli.chosen_network import ChosenNetwork, one_network
from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.listed_option import patterns, routings, schemes
from topoctl.cli.options import ListedOption, Settings, shared_options_but
from topoctl.cli.route_files import RouteFiles
from topoctl.report.columns import ROUTED
from topoctl.report.notes import route_notes
from topoctl.report.table import Table

TABLE = Table(ROUTED, route_notes)

EXAMPLES = """Examples:
  topoctl route 'slimfly(q=5,p=4)'
  topoctl route 'dragonfly(p=4,a=8,h=4)' --routing ecmp,valiant --traffic uniform,adversarial
  topoctl route 'torus(dims=8x8)' --routing all --traffic bitcomp,transpose,tornado --json
  topoctl route 'slimfly(q=7,p=6)' --routing ecmp,valiant,best --worst-case --best
  topoctl route network.edges --p 4 --traffic demand.csv
  topoctl route 'dragonfly(p=2,a=4,h=2)' --routing lowest --tables tables.lfts
  topoctl route --run 1 --rank 2 --routing spread --tables tables.csv --loads loads.csv

What routings and patterns there are: docs/how-to/routing.md"""

NONE = "none"
FILE = click.Path(path_type=Path, dir_okay=False)


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@one_network
@click.option(
    "--routing",
    metavar="A,B,…|all",
    default="ecmp",
    show_default=True,
    shell_complete=completion.routings,
    cls=ListedOption,
    names=routings,
    help="How packets are routed: {names}; all of them that route the network.",
)
@click.option(
    "--traffic",
    metavar="A,B,…|all",
    default="uniform",
    show_default=True,
    shell_complete=completion.patterns,
    cls=ListedOption,
    names=patterns,
    help="What endpoints send: {names}, or files of a matrix; all patterns.",
)
@click.option(
    "--vcs",
    "virtual_channels",
    metavar="auto|N|SCHEME|none",
    default="auto",
    show_default=True,
    cls=ListedOption,
    names=schemes,
    help="Virtual channels: as few as can be proven, N at most, by a scheme ({names}), or none, which leaves "
    "the proof out.",
)
@click.option(
    "--certificate",
    type=FILE,
    metavar="FILE.npz",
    help="Write the proof that packets cannot deadlock: a number of every channel, rising along every path.",
)
@click.option(
    "--channels",
    type=FILE,
    metavar="FILE",
    help="Write in which virtual channel packets go on at every router, by whence they come or, of layers, "
    "whither they go: .csv or .npz.",
)
@click.option(
    "--tables",
    type=FILE,
    metavar="FILE",
    help="Write the next hops of all routers: .csv, .txt, .npz, or .lfts as OpenSM loads them.",
)
@click.option("--loads", type=FILE, metavar="FILE.csv", help="Write the load of every link, both ways.")
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    metavar="SEED",
    help="Of patterns that are drawn.",
)
@click.option(
    "--worst-case", is_flag=True, help="Find the permutation of endpoints that loads a link most (slow)."
)
@click.option(
    "--best", is_flag=True, help="Find what uniform throughput no routing passes, by linear programs (slow)."
)
@click.option("--exact", is_flag=True, help="Go through with what is refused as too much work.")
@shared_options_but("no_study")
def route(
    settings: Settings,
    chosen: ChosenNetwork,
    routing: str,
    traffic: str,
    virtual_channels: str,
    certificate: Path | None,
    channels: Path | None,
    tables: Path | None,
    loads: Path | None,
    seed: int,
    worst_case: bool,
    best: bool,
    exact: bool,
) -> None:
    """Route a network: next hops, virtual channels, and what its links carry of some traffic.

    A load is what a link carries in one direction when every endpoint sends all it can, as a share of the
    link's bandwidth; links and endpoints have the same. The throughput is the share of its bandwidth that
    every endpoint can send before the worst link is full. Tables are read back before they are said to be
    written.
    """
    import time

    from topoctl.api.routed import together
    from topoctl.api.routes import RouteRequest
    from topoctl.kernels.backend import thread_count
    from topoctl.report.progress import ProgressDisplay
    from topoctl.runs.document import document

    files = RouteFiles(tables, loads, certificate, channels)
    asked = channels_asked(virtual_channels)
    for option, file in (("certificate", certificate), ("channels", channels)):
        if file is not None and asked == NONE:
            raise click.UsageError(f"--{option} is of virtual channels: it excludes --vcs none")
    request = RouteRequest(routing, traffic, asked, worst_case, best, seed, exact)
    began = time.monotonic()
    threads = thread_count(settings.workers)
    topology = chosen.topology(settings, threads)
    routings, patterns = request.planned(topology, settings.say)
    files.check(routings)
    with ProgressDisplay(quiet=settings.quiet) as progress:
        found = request.answered(topology, routings, patterns, threads, progress.counted, settings.say)
    files.write(found, settings.say)
    known = chosen.row(topology)
    parameters = {
        **chosen.parameters(),
        **files.parameters(),
        "routing": [record.name for record in routings],
        "traffic": [pattern.name for pattern in patterns],
        "virtual_channels": asked,
        "worst_case": worst_case,
        "best": best,
        "exact": exact,
    }
    notes = [*(record.note for record in routings), *(pattern.note for pattern in patterns)]
    made = document(
        "route",
        parameters,
        [known | one.numbers() for one in found],
        seed=seed,
        evaluations=len(found),
        seconds=time.monotonic() - began,
        notes=together(notes),
    )
    settings.emit(made, TABLE)


def channels_asked(text: str) -> str | int:
    """A number, or a word."""
    word = text.strip().lower()
    return int(word) if re.fullmatch(r"-?\d+", word) else word
