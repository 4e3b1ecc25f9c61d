"""``topoctl runs show``."""

from __future__ import annotations

import rich_click as click

from topoctl.cli import completion
from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.options import Settings, shared_options_but


@click.command(cls=ExamplesCommand, epilog="Example:\n  topoctl runs show 1 --json")
@click.argument("number", type=click.IntRange(min=1), metavar="ID", shell_complete=completion.runs)
@shared_options_but("quiet", "no_study")
def runs_show(settings: Settings, number: int) -> None:
    """Show a run in full: parameters, machine, and its networks, measured again where it was killed.

    The links of the networks whose ranks it names are kept: topoctl export --run ID --rank R.
    """
    from topoctl.cli.studies import existing, study_parameters
    from topoctl.kernels.backend import thread_count
    from topoctl.report.document import document
    from topoctl.report.listed_rows import run_row
    from topoctl.report.rows import network_rows
    from topoctl.search.certify import certify
    from topoctl.search.evaluated_networks import evaluated
    from topoctl.study.liveness import shown
    from topoctl.study.networks import networks_of

    with existing(settings) as study:
        run = study.run(number)
        networks = run.document["results"] if run.document else []
        candidates = networks_of(study, run)
        if not run.reported:
            threads = thread_count(settings.workers)
            with study.reading(number):
                leaders = [certify(candidate, threads) for candidate in candidates]
            wanted = run.parameters.get("target_diameter")
            networks = network_rows(evaluated(leader, threads, wanted) for leader in leaders)
        (row,) = shown(study, [run_row(run)])
    found = document(
        "runs show",
        {"id": number, **study_parameters(settings)},
        [row | {"links_kept": [*range(1, len(candidates) + 1)], "networks": networks}],
        seed=run.seed,
        evaluations=run.evaluations,
        seconds=run.seconds,
    )
    settings.emit(found)
