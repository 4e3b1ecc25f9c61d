"""``topoctl grow``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.networks import NO_NAMES, ChosenNetwork, one_network, with_names
from topoctl.cli.options import Settings, cluster_option, graph_option, request_options, shared_options_but
from topoctl.cli.runs import SearchCommand, search_and_report
from topoctl.files import is_special, require_folder
from topoctl.report.notes import growth_notes
from topoctl.report.table import Table
from topoctl.search.growth.request import GrowRequest

if TYPE_CHECKING:
    from topoctl.runs.document import Document
    from topoctl.runs.run import Run
    from topoctl.runs.seeds import SeedGroup
    from topoctl.topology import Names, Topology

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

Ctrl-C keeps the best so far; `topoctl runs resume ID` resumes as if never interrupted."""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@one_network
@request_options(GrowRequest)
@click.option(
    "--plan",
    "-o",
    type=click.Path(path_type=Path),
    metavar="FILE.csv",
    help="Write the work that leads to the best network: cables to unplug and to plug, by batch, with rack, "
    "unit and port of their ends, medium and length.",
)
@click.option(
    "--batch",
    type=click.IntRange(2, 2**20),
    metavar="COUNT",
    help="Cables to unplug and plug in a batch; after each batch the network is connected [default: 16].",
)
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

    if batch is not None and plan is None:
        raise click.UsageError("--batch is of the plan of work: give -o FILE.csv too")
    if plan is not None:
        if plan == Path("-") or is_special(plan) or plan.suffix.lower() != ".csv":
            raise click.UsageError(f"--plan {plan}: expected the name of a file that ends in .csv")
        require_folder(plan)
    threads = thread_count(settings.workers)
    topology, own = chosen.on_its_floor(settings, threads)
    named_floor = None if floor is None else floor_named(floor)
    ground = named_floor or own or floor_named(DEFAULT_FLOOR)
    topology = with_names(settings, chosen.run, naming, topology, ground, threads=threads)
    kept = named_floor or own
    name = {"spec": topology.spec, "file": None if topology.spec else chosen.network}
    network = {**name, "run": chosen.run and str(chosen.run), "floor": kept and kept.as_json()}

    def write_plan(found: Run | SeedGroup, document: Document) -> None:
        if plan is not None:
            from topoctl.runs.growth import plan_of_work, summary_of_work

            names = _names(settings, chosen, naming, topology, found)
            work = plan_of_work(found, ground, threads, batch or 16, names)
            work.write(plan)
            settings.say(f"wrote {plan}, {len(work.actions)} actions in {work.batches} batches")
            document["work"] = summary_of_work(work, plan, threads)

    search_and_report(
        COMMAND, settings, graph, {**options, "topology": topology, "network": network}, write_plan
    )


def _names(
    settings: Settings, chosen: ChosenNetwork, naming: str | None, topology: Topology, found: Run | SeedGroup
) -> Names:
    """The names in the end: as asked for, or as kept with the run of the network that grows."""
    from topoctl.cli.runs import existing
    from topoctl.runs.growth import names_of_growth
    from topoctl.runs.router_names import naming_kept
    from topoctl.topology import NUMBERS
    from topoctl.wiring.names import Naming

    if naming is None and chosen.run is not None:
        with existing(settings) as study:
            kept = naming_kept(study, chosen.run)
    else:
        kept = None if naming in (None, NO_NAMES) else Naming.of(str(naming))
    if kept is None:
        return NUMBERS
    return names_of_growth(topology, found.networks[0].topology, kept)
