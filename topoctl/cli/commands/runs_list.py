"""``topoctl runs list``."""

from __future__ import annotations

import rich_click as click

from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.options import Settings, shared_options_but
from topoctl.report.table import Table

TABLE = Table(
    (
        *("id", "command", "status", "started", "name", "spec", "order", "network_radix", "length_limit"),
        *("seed", "diameter", "aspl", "evaluations", "seconds", "remark"),
    )
)


@click.command(cls=ExamplesCommand, epilog="Example:\n  topoctl runs list --study topoctl.db")
@shared_options_but("quiet", "no_study", "workers")
def runs_list(settings: Settings) -> None:
    """List the runs of a study."""
    from topoctl.cli.studies import existing, study_parameters
    from topoctl.report.document import document
    from topoctl.report.listed_rows import run_row
    from topoctl.study.liveness import shown

    with existing(settings) as study:
        rows = shown(study, [run_row(run) for run in study.runs()])
    settings.emit(document("runs list", study_parameters(settings), rows), TABLE)
