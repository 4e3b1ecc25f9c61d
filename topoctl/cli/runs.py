"""``topoctl runs``."""

from __future__ import annotations

import warnings
from pathlib import Path

import rich_click as click

from topoctl import __version__
from topoctl.cli import completion
from topoctl.cli.lazy import ExamplesGroup
from topoctl.cli.options import Settings, check_graph_file, graph_option, shared_options


@click.group(cls=ExamplesGroup)
def runs() -> None:
    """The runs of a study: list them, show one, resume one that was interrupted or killed."""


@runs.command("list", epilog="Example:\n  topoctl runs list --study topoctl.db")
@shared_options
def list_(settings: Settings) -> None:
    """List the runs of a study."""
    from topoctl.cli.studies import existing, study_parameters
    from topoctl.report.document import document
    from topoctl.report.output import emit
    from topoctl.report.records import run_row

    with existing(settings) as study:
        rows = [run_row(run) for run in study.runs()]
    found = document("runs list", study_parameters(settings), rows)
    emit(found, as_json=settings.as_json, output=settings.output)


@runs.command(epilog="Example:\n  topoctl runs show 1 --json")
@click.argument("number", type=click.IntRange(min=1), metavar="ID", shell_complete=completion.runs)
@shared_options
def show(settings: Settings, number: int) -> None:
    """Show a run in full: parameters, machine, and its networks, measured again where it was killed."""
    from topoctl.cli.studies import existing, study_parameters
    from topoctl.kernels.backend import thread_count
    from topoctl.report.document import document
    from topoctl.report.output import emit
    from topoctl.report.records import run_row
    from topoctl.report.rows import certified_rows
    from topoctl.search.certify import certify
    from topoctl.search.registry import search_class

    with existing(settings) as study:
        run = study.run(number)
        state = None if run.document else study.state(number)
    if run.document:
        networks = run.document["results"]
    elif state is None:
        networks = []
    else:
        leaders = search_class(run.command).from_parameters(run.parameters).leaders(state)
        threads = thread_count(settings.workers)
        networks = certified_rows(
            [certify(candidate, threads) for candidate in leaders],
            threads,
            run.parameters.get("target_diameter"),
        )
    found = document(
        "runs show",
        {"id": number, **study_parameters(settings)},
        [run_row(run) | {"networks": networks}],
        seed=run.seed,
        evaluations=run.evaluations,
        seconds=run.seconds,
    )
    emit(found, as_json=settings.as_json, output=settings.output)


@runs.command(epilog="Examples:\n  topoctl runs resume 1\n  topoctl runs resume 1 --json --study topoctl.db")
@click.argument("number", type=click.IntRange(min=1), metavar="ID", shell_complete=completion.runs)
@graph_option
@shared_options
def resume(settings: Settings, number: int, graph: Path | None) -> None:
    """Go on with a run, to the very result of a run that was never interrupted.

    The original command's document is printed; a finished run's is printed again.
    """
    from topoctl.cli.conduct import conduct
    from topoctl.cli.studies import existing
    from topoctl.report.document import SWEEP
    from topoctl.report.output import emit
    from topoctl.search.registry import search_class
    from topoctl.study.runner import Place

    check_graph_file(graph)
    with existing(settings) as study:
        run = study.run(number)
    if run.status == "finished" and run.document:
        if graph is not None:
            raise click.UsageError("--graph is for a run that goes on; this one has finished")
        emit(dict(run.document), as_json=settings.as_json, output=settings.output)
        return
    if run.command == SWEEP and graph is not None:
        raise click.UsageError("--graph is for the best network of a search; a sweep has one for every cell")
    if run.version != __version__:
        message = f"run {number} began with topoctl {run.version}; under {__version__} its result may differ"
        warnings.warn(message, RuntimeWarning, stacklevel=1)
    search = search_class(run.command).from_parameters(run.parameters)
    with existing(settings, read_only=False) as study:
        study.take_over(number)
        conduct(search, settings, Place(study, number), graph)
