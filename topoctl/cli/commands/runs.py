"""``topoctl runs``."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from topoctl import __version__
from topoctl.cli import completion
from topoctl.cli.lazy import ExamplesGroup
from topoctl.cli.options import Settings, check_graph_file, graph_option, shared_options, sweep_files

if TYPE_CHECKING:
    from topoctl.study.rows import Run


@click.group(cls=ExamplesGroup)
def runs() -> None:
    """The runs of a study: list them, show one, resume one that was interrupted or killed, repeat one."""


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

    with existing(settings) as study:
        run = study.run(number)
        networks = run.document["results"] if run.document else []
        if not run.document:
            search, threads = study.search(run), thread_count(settings.workers)
            state = study.state(number, search)
            with study.reading(number):
                leaders = [certify(leader, threads) for leader in (search.leaders(state) if state else ())]
            networks = certified_rows(leaders, threads, run.parameters.get("target_diameter"))
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
@sweep_files(
    picture="Of a sweep: draw it here instead of where its study says.",
    graphs="Of a sweep: write each cell's best network here instead of where its study says.",
)
@shared_options
def resume(
    settings: Settings, number: int, graph: Path | None, picture: Path | None, graphs: Path | None
) -> None:
    """Go on with a run, to the very result of one that was never interrupted; --seconds hold as they did.

    The original command's document is printed; a finished run's is printed again. Files that a study names
    are written inside the working directory only, and said; others have to be named again.
    """
    from topoctl import interruption
    from topoctl.cli.resumed import check_files, resumed
    from topoctl.cli.running import run_and_report
    from topoctl.cli.studies import existing, how_to_resume
    from topoctl.report.output import emit
    from topoctl.study.runner import StoredRun

    check_graph_file(graph)
    with existing(settings) as study:
        run = study.run(number)
        check_files(run, graph=graph, picture=picture, graphs=graphs)
        if run.status == "finished" and run.document:
            emit(dict(run.document), as_json=settings.as_json, output=settings.output)
            return
        search = resumed(study, run, picture=picture, graphs=graphs)
    warn_of_version(run)
    with existing(settings, read_only=False) as study, study.reading(number):
        stored_run = StoredRun(study, number)
        with interruption.held():
            study.take_over(number)
            interruption.say_at_the_end(f"interrupted; {how_to_resume(stored_run)}")
        run_and_report(search, settings, stored_run, graph)


@runs.command(
    epilog="Examples:\n  topoctl runs repeat 1\n  topoctl runs repeat found.json --graph best.edges"
)
@click.argument("run", metavar="ID|FILE.json", shell_complete=completion.runs)
@graph_option
@shared_options
def repeat(settings: Settings, run: str, graph: Path | None) -> None:
    """Run a search again exactly, as a new run: a finished one of the study, or of a document of results.

    A search that was planned by --seconds corrects its work as the machine's load changes; the corrections
    are in its document, and here they are made again, whatever the clock says. The result is the same.
    """
    from topoctl.cli.repetition import repeated
    from topoctl.cli.running import plan_and_run

    check_graph_file(graph)
    search = repeated(run, settings)
    plan_and_run(lambda _: search, settings, graph)


def warn_of_version(run: Run) -> None:
    """Warn of a run that another version began."""
    if run.version != __version__:
        message = f"run {run.id} began with topoctl {run.version}; under {__version__} its result may differ"
        warnings.warn(message, RuntimeWarning, stacklevel=2)
