"""``topoctl grow``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.networks import NO_NAMES, ChosenNetwork, one_network, with_names
from topoctl.cli.options import (
    Settings,
    check_plan_file,
    cluster_option,
    graph_option,
    plan_options,
    request_options,
    shared_options_but,
)
from topoctl.cli.runs import SearchCommand, search_and_report
from topoctl.report.notes import growth_notes
from topoctl.report.table import Table
from topoctl.search.growth.request import GrowRequest

if TYPE_CHECKING:
    from topoctl.runs.document import Document
    from topoctl.runs.run import Run
    from topoctl.runs.seeds import SeedGroup
    from topoctl.topology import Topology
    from topoctl.wiring.names import Naming

COMMAND = "grow"

COLUMNS = (
    *("rank", "file", "way", "moved_cables", "new_cables", "kept_cables", "diameter", "aspl"),
    *("uniform_throughput", "aspl_gap", "diameter_lower_bound", "aspl_lower_bound"),
)
SEARCH = SearchCommand(Table(COLUMNS, growth_notes))

EXAMPLES = """Examples:
  topoctl grow 'slimfly(q=5,p=4)' --routers 6
  topoctl grow network.edges --p 8 --routers 64 --recable 256 --graph grown.edges -o plan.csv
  topoctl grow 'polarfly(q=7)' --routers 16 --k 12 --recable 0
  topoctl grow --run 3 --steps 64,64,128 --seconds 60

Ctrl-C keeps the best so far; `topoctl runs resume ID` resumes as if never interrupted, and with --plan
FILE.csv writes the work then."""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@one_network
@request_options(GrowRequest)
@plan_options("--plan", "-o")
@graph_option
@cluster_option
@shared_options_but("-o")
def grow(
    settings: Settings,
    chosen: ChosenNetwork,
    graph: Path | None,
    plan: Path | None,
    batch: int | None,
    naming: str | None,
    floor: str | None,
    **options: Any,
) -> None:
    """Add routers to a network that stands, and move few of its cables.

    Begin with a spliced network, a lift, or what its family adds, and anneal it; move at most --recable
    standing cables. Without --recable, print a front of moved cables against diameter and ASPL. The last row
    is a network of the same size searched afresh. Routers and cables that stay keep their numbers and ports,
    and routers their racks and units, also in `topoctl cable --run` of the grown network.
    """
    from topoctl.floor.floor import DEFAULT_FLOOR, floor_named
    from topoctl.kernels.backend import thread_count
    from topoctl.topology import NUMBERS

    check_plan_file(plan, batch)
    threads = thread_count(settings.workers)
    topology, own = chosen.on_its_floor(settings, threads)
    named_floor = None if floor is None else floor_named(floor)
    ground = named_floor or own or floor_named(DEFAULT_FLOOR)
    topology = with_names(settings, chosen.run, naming, topology, ground, threads=threads)
    kept, called = named_floor or own, _naming(settings, chosen, naming)
    name = {"spec": topology.spec, "file": None if topology.spec else chosen.network}
    network = {
        **name,
        "run": chosen.run and str(chosen.run),
        "floor": kept and kept.as_json(),
        "names": called.as_json() if called and topology.names != NUMBERS else None,
    }

    def write_plan(found: Run | SeedGroup, document: Document) -> None:
        if plan is not None:
            write_work(found.networks[0].topology, plan, batch, document, settings)

    search_and_report(
        COMMAND, settings, graph, {**options, "topology": topology, "network": network}, write_plan
    )


def write_work(best: Topology, plan: Path, batch: int | None, document: Document, settings: Settings) -> None:
    """Write the work that leads to the best network of a growth, and tell of it in its document.

    Args:
        best: the network.
        plan: the file.
        batch: cables to unplug and plug at a time; None for the usual ones.
        document: of the growth.
        settings: the shared options.
    """
    from topoctl.kernels.backend import thread_count
    from topoctl.runs.growth import plan_of_work, summary_of_work

    asked, threads = document["parameters"], thread_count(settings.workers)
    work = plan_of_work(best, asked["standing_network"], asked["standing"], threads, batch or 16)
    work.write(plan)
    settings.say(f"wrote {plan}, {len(work.actions)} actions in {work.batches} batches")
    document["work"] = summary_of_work(work, plan, threads)


def _naming(settings: Settings, chosen: ChosenNetwork, naming: str | None) -> Naming | None:
    """The names that are asked for, or kept with the run of the network that grows."""
    from topoctl.cli.runs import existing
    from topoctl.runs.router_names import naming_kept
    from topoctl.wiring.names import Naming

    if naming is None and chosen.run is not None:
        with existing(settings) as study:
            return naming_kept(study, chosen.run)
    return None if naming in (None, NO_NAMES) else Naming.of(str(naming))
