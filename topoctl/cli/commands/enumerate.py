"""``topoctl enumerate``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import rich_click as click
from click.exceptions import Exit

from topoctl.cli import completion
from topoctl.cli.exit_codes import INTERRUPTED
from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.options import Settings, cluster_option, given_in, request_options, shared_options_but
from topoctl.cli.result_files import result_files
from topoctl.options.enumerate import EnumerationRequest
from topoctl.report.messages import say
from topoctl.report.notes import listing_notes
from topoctl.report.table import MEASURED, Table

if TYPE_CHECKING:
    from topoctl.runs.document import Document

COLUMNS = (
    *("rank", "spec", "file", "order", "network_radix", "concentration", "router_radix", "endpoints"),
    *(*MEASURED, "balance", "relative_bisection", "aspl_gap", "moore_percent"),
)
TABLE = Table(COLUMNS, listing_notes)

EXAMPLES = """Examples:
  topoctl enumerate slimfly --balanced --endpoints ..20000
  topoctl enumerate flex --endpoints 900..1100 --router-radix ..48 --diameter 2 --sort router_radix,aspl
  topoctl enumerate all --balanced --endpoints 10000..11000 --router-radix ..64 --output found.csv
  topoctl enumerate all --endpoints 900..1100 --router-radix ..48 --each 1
  topoctl enumerate slimfly dragonfly --order ..2000 --plot endpoints,k,ASPL --picture a.svg
  topoctl enumerate all --balanced --endpoints 900..1100 --router-radix ..48 --report found.html
  topoctl enumerate hyperx --endpoints 1000.. --router-radix ..28 --relative-bisection 0.5..

RANGE is a..b, a.., ..b or a. Instances within all ranges are listed and ranked by closed forms; printed
instances are measured, and so are instances without a closed form that could rank among them.
Without an upper bound on p, endpoints or ports, a network has its balanced p.
ASPL averages hops over pairs of distinct routers, endpoint ASPL over pairs of distinct endpoints; two
endpoints of one router are 0 hops apart. All families: topoctl families"""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@click.argument("families", nargs=-1, metavar="FAMILY…|all", shell_complete=completion.families_or_all)
@request_options(EnumerationRequest)
@result_files(*COLUMNS, "links", "degree_times_diameter")
@cluster_option
@shared_options_but("study", "no_study")
def enumerate(  # noqa: A001 - the word typed
    *,
    settings: Settings,
    families: tuple[str, ...],
    **given: Any,
) -> None:
    """List every network of some families within ranges, best first.

    Without arguments, list the balanced networks of all families with 900 to 1100 endpoints and up to 48
    ports. All families without any range get the same ranges.
    """
    from topoctl.cli.runs import session_of
    from topoctl.runs.enumerations import completed, enumerated

    request = EnumerationRequest(families, **given_in(given))
    announcement = completed(request)[2]
    if announcement:
        settings.say(announcement)
    with session_of(settings) as session, session.display() as progress:
        found, _ = enumerated(request, session.threads, progress, session.cluster, keep=False)
    _conclude(found, settings)


def _conclude(found: Document, settings: Settings) -> None:
    """Print what was found, and say on standard error what was not.

    Raises:
        Infeasible: nothing was found.
    """
    from topoctl.runs.enumerations import refuse_nothing

    if found["results"]:
        settings.emit(found, TABLE)
    for line in _summary(found)[0 if found["results"] else 1 :]:
        settings.say(line)
    if found["status"] == "interrupted":
        say("interrupted")
        raise Exit(INTERRUPTED)
    refuse_nothing(found)


def _summary(found: Document) -> list[str]:
    """What fits, what is printed of it, and what is left out, in lines."""
    from topoctl.report.notes import counted
    from topoctl.search.enumeration.listing import by_reason

    fit = f"{counted(found['fitting'], 'network')} {'fits' if found['fitting'] == 1 else 'fit'}"
    lines = [
        f"{fit}, {found['printed']:,} printed, "
        f"{counted(found['evaluations'], 'router graph')} measured, {found['seconds']:.1f} s"
    ]
    each = found["parameters"]["each"]
    if found["printed"] < found["fitting"] - found["beyond_each"] and found["status"] == "finished":
        every = "all" if each is None else f"up to {each} of every family"
        lines[0] += f"; --top 0 prints {every}"
    beyond = sum((row["balance"] or 0) > 1 for row in found["results"])
    if beyond:
        lines.append(f"oversubscribed (p/balanced above 1): {beyond} of these; --balance ..1 leaves such out")
    if found["undecided"]:
        without = "" if each is None else "without --each and "
        lines.append(
            f"{found['undecided']:,} more rank after those printed at best; only measuring them, {without}"
            "with --top 0, tells whether they fit"
        )
    lines += found["notes"]
    lines += [f"left out: {one['structure']}: {one['reason']}" for one in found["refused"]]
    skipped = {one["family"]: one["reason"] for one in found["skipped"]}
    return lines + [f"skipped: {line}" for line in by_reason(skipped)]
