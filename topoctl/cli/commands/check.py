"""``topoctl check``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from topoctl.cli.exit_codes import DIFFERENT
from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.networks import ChosenNetwork, concentration_option, run_option, with_names
from topoctl.cli.options import Settings, request_options, shared_options_but
from topoctl.options.cable import CheckRequest
from topoctl.report.notes import check_notes, counted
from topoctl.report.table import Table
from topoctl.runs.run_names import Name

if TYPE_CHECKING:
    from topoctl.topology import Topology

TABLE = Table(
    ("kind", "cable", "from", "to", "found", "action"), check_notes, deciding=("kind", "action"), nothing=None
)
WIRED = (".csv", ".topo", ".dot", ".lst")
"""What the names of plans end in that tell their cables by themselves; other files hold a network."""

EXAMPLES = """Examples:
  topoctl check cables.csv found.csv
  topoctl check 'slimfly(q=5,p=4)' ibnetdiscover.txt
  topoctl check --run 1 neighbours/ -o work.csv
  topoctl check 'fattree(k=8,levels=2)' found.csv --planes 4
  topoctl check 'fattree(k=8,levels=2)' --planes 2 subnet0.txt subnet1.txt
  topoctl check 'slimfly(q=5,p=4)' found.csv --match structure --matching who.csv
  topoctl check 'slimfly(q=5,p=4)' found.txt --anchor 0x8f10500=0 --picture wrong.svg
  topoctl check fabric/ found.txt --json"""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@click.argument("wired", nargs=-1, metavar="PLAN FOUND…", type=click.Path())
@run_option("Take the plan from this run or group of the study; then give FOUND alone.")
@click.option(
    "--rank", type=click.IntRange(min=1), metavar="R", help="Which network of the run [default: 1]."
)
@concentration_option("Endpoints per router of a network without a spec.")
@click.option(
    "--anchor",
    "anchors",
    multiple=True,
    metavar="NAME=PLAN|FILE",
    help="What a system of FOUND, by name or GUID, is in PLAN, by name or number: the others are told "
    "outward from it. May be given several times, or be a file with such lines.",
)
@request_options(CheckRequest)
@shared_options_but("no_study")
@click.pass_context
def check(
    context: click.Context,
    settings: Settings,
    wired: tuple[str, ...],
    name_of_run: Name | None,
    rank: int | None,
    concentration: int | None,
    naming: str | None,
    planes: int | None,
    match: str | None,
    matching: Path | None,
    picture: Path | None,
    anchors: tuple[str, ...],
) -> None:
    """Compare what was wired with what was planned, and list the work that is left.

    PLAN: a list of cables or a point-to-point sheet (.csv), a .topo, a .dot of ptmd, OpenSM's subnet.lst, a
    folder that topoctl cable --for wrote, a file of a network or its spec. FOUND: any of these but a spec;
    and what only FOUND can be: text of ibnetdiscover, LLDP neighbours as .csv, or a folder with what lldpctl
    -f json0 prints, NAME.json for each switch. Several FOUND tell one fabric together, such as a plane or a
    subnet each, in the order of the planes.

    Systems are told by their names, where these are known in PLAN; else outward from those that are known,
    by ports and links; else by the structure alone. The last lines say what it costs to leave it as it is;
    the exit code is 5 where both differ.
    """
    import time

    from topoctl.files import is_folder
    from topoctl.kernels.backend import thread_count
    from topoctl.runs.checks import check_document, check_of, drawn_check, likely_cause, write_matching

    if len(wired) < (1 if name_of_run else 2):
        wanted = "FOUND alone beside --run" if name_of_run else "PLAN and FOUND"
        raise click.UsageError(f"{counted(len(wired), 'name')}, expected {wanted}")
    began, threads = time.monotonic(), thread_count(settings.workers)
    plan, found = (None, wired) if name_of_run else (wired[0], wired[1:])
    told = plan is not None and (is_folder(Path(plan)) or plan.lower().endswith(WIRED))
    if told and (naming or concentration is not None or planes is not None):
        raise click.UsageError(
            "a plan that tells its cables has its names, planes and endpoints: expected no --names, no "
            "--planes, no --p"
        )
    chosen = ChosenNetwork(plan, name_of_run, rank, concentration)
    if picture is not None:
        from topoctl.report.plots import draw_check, picture_format

        picture_format(picture)
    place: Path | Topology
    if told:
        place, copies = Path(str(plan)), 1
    else:
        topology, floor = chosen.on_its_floor(settings, threads)
        copies = chosen.planes(settings, planes)
        place = with_names(settings, name_of_run, naming, topology, floor, threads=threads, planes=copies)
    checked, planned = check_of(place, found, match, anchors, copies)
    if matching is not None:
        write_matching(checked, matching)
        settings.say(f"wrote {matching}")
    if picture is not None:
        draw_check(checked, *drawn_check(checked, place), picture)
        settings.say(f"wrote {picture}")
    parameters = {
        **chosen.parameters(),
        **{
            "found": found[0] if len(found) == 1 else [*found],
            "naming": naming,
            "planes": None if told else copies,
            "match": match,
            "anchors": [*anchors],
        },
        **{"matching": matching and str(matching), "picture": picture and str(picture)},
    }
    seconds = time.monotonic() - began
    if settings.form == "table" and (cause := likely_cause(checked, planned)):
        settings.say(cause)
    settings.emit(check_document(checked, planned, place, parameters, seconds, threads), TABLE)
    if count := len(checked.differences):
        differ = f"{' and '.join(found)} differ{'s' if len(found) == 1 else ''}"
        settings.say(f"{differ} from {'its' if len(found) == 1 else 'the'} plan in {counted(count, 'place')}")
        context.exit(DIFFERENT)
