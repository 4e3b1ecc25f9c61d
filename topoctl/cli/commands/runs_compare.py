"""``topoctl runs compare``."""

from __future__ import annotations

import rich_click as click

from topoctl.cli import completion
from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.networks import NameType
from topoctl.cli.options import Settings, shared_options_but
from topoctl.runs.names import Name

EXAMPLES = """Examples:
  topoctl runs compare 1 2
  topoctl runs compare g1 --json"""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@click.argument(
    "names", type=NameType(), metavar="ID|gN…", nargs=-1, required=True, shell_complete=completion.runs
)
@shared_options_but("quiet", "no_study", "workers")
def runs_compare(settings: Settings, names: tuple[Name, ...]) -> None:
    """Compare runs: what was asked, what was found, and the best of each at the same times.

    The times count the seconds that each run itself spent: those of the longest run, half of them, a quarter,
    and so on. The scores are D and ASPL, or the worst and the average latency. topoctl plot --run 1 --run 2
    draws them.
    """
    from topoctl.cli.run_comparison import TABLE, compared
    from topoctl.cli.runs import existing, study_parameters
    from topoctl.runs.document import document
    from topoctl.runs.names import runs_named

    with existing(settings) as study:
        rows, moments, differing = compared(study, runs_named(study, names))
    asked = {"ids": [name.value for name in names], **study_parameters(settings)}
    settings.emit(document("runs compare", asked, rows, moments=moments, differing=differing), TABLE)
