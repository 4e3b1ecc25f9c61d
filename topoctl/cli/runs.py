"""Runs on the command line: what works on them, and what is printed, written and kept of their results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from click.exceptions import Exit

from topoctl.cli.commands import module_of
from topoctl.cli.lazy import began
from topoctl.cli.options import Settings, check_graph_file, given_in, refuse_both
from topoctl.files import DEFAULT_STUDY

if TYPE_CHECKING:
    from topoctl.report.table import Table
    from topoctl.runs.document import Document
    from topoctl.runs.run import Finished, Run
    from topoctl.runs.seeds import SeedGroup
    from topoctl.runs.session import Session
    from topoctl.runs.stored import Reported
    from topoctl.search.annealing.search import AnnealingSearch
    from topoctl.search.hosts.search import HostsSearch
    from topoctl.search.populations.search import PopulationSearch
    from topoctl.search.protocol import SearchState
    from topoctl.search.trace import Trace
    from topoctl.study.rows import Run as RunRow
    from topoctl.study.store import Study


@dataclass(frozen=True)
class SearchCommand:
    """A command that searches, ``SEARCH`` in its file.

    Attributes:
        table: its results for people.
        trace: the course of a run and what it searched, in words; None where the run has stored none yet.
    """

    table: Table
    trace: Callable[[Study, RunRow], tuple[str, Trace] | None] | None = None


def search_command(command: str) -> SearchCommand:
    """The record of a command that searches.

    Raises:
        Damaged: no such command searches, as in a study that a later version wrote.
    """
    from topoctl.search.registry import search_class

    search_class(command)
    found: SearchCommand = module_of(command).SEARCH
    return found


def session_of(settings: Settings) -> Session:
    """What runs work with by the shared options."""
    from topoctl.kernels.backend import thread_count
    from topoctl.report.progress import ProgressDisplay
    from topoctl.runs.session import Session

    return Session(
        thread_count(settings.workers),
        settings.cluster,
        settings.study or DEFAULT_STUDY,
        keep=not settings.no_study,
        required=settings.study is not None,
        say=settings.say,
        display=lambda: ProgressDisplay(quiet=settings.quiet),
        connected=_silence_dask,
        began=began(),
    )


def _silence_dask() -> None:
    """Show nothing of Dask's own log: what is wrong is said in one line."""
    import logging

    for name in [name for name in logging.root.manager.loggerDict if name.startswith("distributed")]:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def existing(settings: Settings, *, read_only: bool = True) -> Study:
    """The study that is there already.

    Raises:
        StudyError: it is missing, or cannot be used.
    """
    from topoctl.study.store import Study

    return Study.existing(settings.study or DEFAULT_STUDY, read_only=read_only)


def study_parameters(settings: Settings) -> Mapping[str, Any]:
    """The study's name for a document."""
    return {"study": str(settings.study or DEFAULT_STUDY)}


def search_and_report(
    command: str,
    settings: Settings,
    graph: Path | None,
    options: dict[str, Any],
    also: Callable[[Run | SeedGroup, Document], None] = lambda *_: None,
) -> None:
    """Make the request of a command that searches, run it with one seed or with several, and report it.

    Args:
        command: the command line words.
        settings: the shared options.
        graph: file for the best network, or None.
        options: of the command, by the fields of its request, and the seeds.
        also: writes further files of what was found, and tells of them in its document.
    """
    from topoctl.runs.requests import REQUESTS
    from topoctl.runs.search import search

    refuse_both(options)
    seeds = options.pop("seeds")
    check_graph_file(graph)
    request, announcement = REQUESTS[command](given_in(options))
    if announcement:
        settings.say(announcement)
    with session_of(settings) as session:
        found = search(command, request, seeds, session)
        table = search_command(command).table if seeds is None else seeds_table(command)
        write_best = writing_best(found, graph, settings)

        def write(document: Document) -> None:
            write_best(document)
            also(found, document)

        report(found, settings, table, write)


def seeds_table(command: str) -> Table:
    """The table of a command's networks, with their seeds and runs; below it, how far the seeds spread."""
    from topoctl.report.notes import spread_notes

    table = search_command(command).table
    rank, *others = table.columns

    def notes(document: Document) -> list[str]:
        return [*spread_notes(document), *table.notes(document)]

    return replace(table, columns=(rank, "seed", "run", *others), notes=notes)


def writing_best(
    found: Run | SeedGroup | Reported, graph: Path | None, settings: Settings
) -> Callable[[Document], None]:
    """Make the function that writes the best network's graph, and names its file in its row."""

    def write(document: Document) -> None:
        from topoctl.kernels.backend import thread_count
        from topoctl.runs.stored import Reported
        from topoctl.search.certify import write_certified
        from topoctl.topology import uniform_endpoints

        if graph is not None:
            threads = thread_count(settings.workers)
            best, *_ = found.networks_of(threads, 1) if isinstance(found, Reported) else found.networks
            written = write_certified(best, graph, threads)
            document["results"][0]["file"] = str(written.files[0])
            if isinstance(found, Reported):  # nothing else says what the command has done
                settings.say(f"wrote {' and '.join(map(str, written.files))}, {written.checked}")
            # Only the graph was asked for: its row has the endpoints, and none is missed in the file.
            without = replace(
                best.topology, endpoints_per_router=uniform_endpoints(best.topology.graph.order, 0)
            )
            if lost := written.format.left_out(without):
                settings.say(lost)

    return write


def report(
    found: Finished,
    settings: Settings,
    table: Table | None,
    write: Callable[[Document], None] = lambda _: None,
    networks: Sequence[Any] = (),
) -> None:
    """Write what was found to files, keep it, and print it; whichever fails, the others are done.

    Args:
        found: a run, or a group of runs, that has ended or was interrupted.
        settings: the shared options.
        table: for people.
        write: writes files besides the results, and names them in the document.
        networks: topologies of the rows, as far as they are at hand.

    Raises:
        Infeasible: all planned work found nothing.
    """
    if found.document is not None:
        if found.unmeasured and not found.interrupted:
            settings.say(
                f"{found.unmeasured} more found, but not measured again in the planned time; "
                "give more --seconds"
            )
        try:
            write(found.document)
        finally:
            try:
                found.keep()
            finally:
                settings.emit(found.document, table, networks)
    else:
        found.keep()
    if found.interrupted:
        _leave(found)
    found.refuse_nothing()


def _leave(found: Finished) -> NoReturn:
    """Say how to resume after Ctrl-C, and end."""
    from topoctl.cli.exit_codes import INTERRUPTED
    from topoctl.report.messages import say
    from topoctl.runs.design_under_way import Design
    from topoctl.runs.session import how_to_resume
    from topoctl.runs.simulations import Simulation

    stored = found.stored
    if stored is not None:
        stored.study.close()  # the process ends without taking itself down
    # A design's networks have their place only when all of them are known.
    keeps = found.document is not None and not isinstance(found, Design)
    saved = keeps and stored is not None and stored.study.there
    what = "what is done" if isinstance(found, Simulation) else "the best so far"
    say(f"interrupted; {f'{what} is saved; ' if saved else ''}{how_to_resume(stored)}")
    raise Exit(INTERRUPTED)


def annealing_trace(study: Study, run: RunRow) -> tuple[str, Trace] | None:
    """Return the title and the trace of a run that anneals links, finished or not."""
    from topoctl.search.annealing.search import trace_of

    def title(search: AnnealingSearch) -> str:
        request, layout = search.request, search.problem.layout
        sizes: dict[str, object] = {"order": request.order, "degree": request.degree}
        if layout:
            sizes["length_limit"] = request.limit
        objective = () if request.objective == "aspl" else (request.objective,)
        told = _in_words(sizes)
        return ", ".join((str(layout or "graph"), *told, *objective))

    return _trace(study, run, title, trace_of)


def population_trace(study: Study, run: RunRow) -> tuple[str, Trace] | None:
    """Return the title and the trace of a run that breeds networks, finished or not."""
    from topoctl.search.populations.search import trace_of

    def title(search: PopulationSearch) -> str:
        sizes = {"order": search.request.order, "network_radix": search.request.network_radix}
        return ", ".join((run.command.split()[-1].title(), *_in_words(sizes)))

    return _trace(study, run, title, trace_of)


def hosts_trace(study: Study, run: RunRow) -> tuple[str, Trace] | None:
    """Return the title and the trace of a run that anneals a host-switch graph, finished or not."""
    from topoctl.search.hosts.search import trace_of

    def title(search: HostsSearch) -> str:
        sizes = {"hosts": search.request.hosts, "router_radix": search.request.router_radix}
        return ", ".join(("host-switch graph", *_in_words(sizes)))

    return _trace(study, run, title, trace_of)


def _trace(
    study: Study,
    run: RunRow,
    title: Callable[[Any], str],
    trace_of: Callable[[Any, SearchState, float], Trace],
) -> tuple[str, Trace] | None:
    """Return the title and the trace of a run; None where it has no state yet."""
    search = study.search(run)
    state = study.state(run.id, search)
    if state is None:
        return None
    with study.decoding(run.id):
        return f"{title(search)}, seed {search.seed}", trace_of(search, state, run.seconds)


def _in_words(sizes: Mapping[str, object]) -> list[str]:
    from topoctl.fields import in_words

    return [f"{in_words(name)} {value}" for name, value in sizes.items()]
