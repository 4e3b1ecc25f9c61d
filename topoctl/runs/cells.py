"""The cells of a sweep: searched as the runs of one group, or measured one after another; a row for each."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from topoctl.errors import Damaged, FormatError, Infeasible, InvalidParameters, TopoctlError
from topoctl.interruption import raised
from topoctl.options.bounds import BoundsRequest, HostBoundsRequest, LayoutBoundsRequest
from topoctl.options.enumerate import EnumerationRequest
from topoctl.options.evaluate import EvaluationRequest
from topoctl.runs.bounds import bounds_document, host_bounds_document, layout_bounds_document
from topoctl.runs.document import Document, Row, document
from topoctl.runs.enumerations import enumerated, refuse_nothing
from topoctl.runs.evaluations import evaluation_document
from topoctl.runs.requests import SIMULATE, SWEEP, planned_search, reseeded
from topoctl.runs.run import Run, refuse_faults, run_group
from topoctl.runs.run_names import Name
from topoctl.runs.seeds import spread
from topoctl.runs.session import Progress, Session, ignore, telling_how_to_resume
from topoctl.runs.simulations import PointRun, add_points, mean_rows, stored_point
from topoctl.runs.stored import named_networks
from topoctl.runs.sweep import COMMAND, MEASURING, Cell, Sweep
from topoctl.runs.sweep_files import sweep_of_parameters
from topoctl.runs.sweep_rows import cell_row, shown_value
from topoctl.search.certify import Certified, write_certified
from topoctl.search.evaluated_networks import EvaluatedNetwork
from topoctl.search.leaders_of_seeds import candidate_key
from topoctl.search.protocol import Search, Status
from topoctl.search.simulation.search import PointSearch
from topoctl.study.groups import Group, StoredGroup, add_group, conclude_group, members_of
from topoctl.study.networks import leaders_of
from topoctl.study.runner import RunOutcome, StoredRun
from topoctl.study.store import Study


@dataclass
class CellRun(Run):
    """A search of a cell; with several seeds a cell has several.

    Attributes:
        reason: why it found nothing.
        standing: what the best networks of several seeds are compared by.
    """

    reason: str | None = None
    standing: tuple[int, ...] = ()

    def conclude(self, outcome: RunOutcome, threads: int, progress: Progress) -> None:
        """Conclude the search, and say how its best network ranks, or why it has none."""
        super().conclude(outcome, threads, progress)
        if self.leaders:
            self.standing = candidate_key(self.leaders[0])
        else:
            try:
                self.refuse_nothing()
            except Infeasible as error:
                self.reason = str(error)


@dataclass
class CellGroup:
    """The searches of a sweep.

    Attributes:
        sweep: what is run.
        runs: by the names of cells, one for each seed.
        refused: why the other cells have none, by their names.
        stored: where they are kept, or None.
        document: of all cells, or None where there is nothing to report.
        interrupted: whether Ctrl-C came before all were done.
    """

    sweep: Sweep
    runs: Mapping[str, Sequence[CellRun | PointRun]]
    refused: Mapping[str, str]
    stored: StoredGroup | None = None
    document: Document | None = None
    interrupted: bool = False

    unmeasured = 0

    @property
    def every(self) -> list[CellRun | PointRun]:
        """The searches of all cells."""
        return [run for own in self.runs.values() for run in own]

    def best_of(self, cell: str) -> CellRun | None:
        """The search that found the best network of a cell, the first of equals; None where none has any."""
        searched = [run for run in self.runs.get(cell, ()) if isinstance(run, CellRun)]
        found = [run for run in searched if run.document is not None]
        return min(found, key=lambda run: run.standing) if found else None

    def best_networks(self, threads: int) -> list[EvaluatedNetwork]:
        """The best network of every cell that has one, with every number of it."""
        best = [one for one in map(self.best_of, self.runs) if one is not None]
        return [one.evaluated(_network_of(one, threads), threads) for one in best]

    def write_networks(self, folder: Path, threads: int, wanted: Callable[[Row], bool] = bool) -> None:
        """Write the best network of every cell, read back and measured again; its row names the file.

        Args:
            folder: is made where it is missing.
            threads: for the kernels.
            wanted: whether the network of a row is written.
        """
        assert self.document is not None
        folder.mkdir(exist_ok=True)
        for cell, row in zip(self.sweep.cells, self.document["results"], strict=True):
            best = self.best_of(cell.name)
            if best is not None and wanted(row):
                path = folder / f"{row['cell']}.edges"
                write_certified(_network_of(best, threads), path, threads)
                row["file"] = str(path)

    def keep(self) -> None:
        """Keep the document once all cells are done; refuse a study that is gone, or cannot be written."""
        refuse_faults(self.every)
        if self.stored is not None and self.document is not None and not self.interrupted:
            conclude_group(self.stored.study, self.stored.id, self.document)

    def refuse_nothing(self) -> None:
        """Raise Infeasible where no cell found a network."""
        done = any(run.document is not None for run in self.every)
        if self.document is not None and not self.interrupted and not done:
            said = self.document["results"][0]["remark"]
            raise Infeasible(f"no cell found a network; the first says: {said}")


def _network_of(best: CellRun, threads: int) -> Certified:
    """The network that a search found, now or before its run was resumed."""
    if 1 not in best.measured and best.stored is not None:
        found = named_networks(best.stored.study, Name("run", best.stored.id), 1, threads)
        return found[1][1]
    return best.measured[1]


def run_sweep(sweep: Sweep, seeds: Sequence[int] | None, session: Session) -> CellGroup | MeasuredCells:
    """Run the command of a sweep for every cell: searches as the runs of a new group, else one by one.

    Args:
        sweep: what is run.
        seeds: of the searches of every cell, or None for the cells' own.
        session: what the runs work with.

    Raises:
        InvalidParameters, Infeasible: all cells are refused; the reason of the first.
        EngineLost: the scheduler or all workers are gone; what was reached is kept.
        TopoctlError: a search ended in an error.
    """
    if sweep.command in MEASURING:
        return _measured(sweep, session)
    runs, refused = _planned(sweep, seeds, session)
    return _run_new(CellGroup(sweep, runs, refused), [*seeds] if seeds else None, session)


def repeat_cells(group: CellGroup, searches: Sequence[Search], session: Session) -> CellGroup:
    """Run the searches of a sweep again, as a new group.

    Args:
        group: the sweep that is repeated.
        searches: of all its runs in their order, with all the work that was planned there.
        session: what the runs work with.
    """
    rest, runs = [*searches], dict[str, list[CellRun | PointRun]]()
    for cell, own in group.runs.items():
        runs[cell] = [_cell_run(rest.pop(0)) for _ in own]
    seeds = [one.search.seed for one in next(iter(group.runs.values()))]
    again = CellGroup(group.sweep, runs, group.refused)
    return _run_new(again, seeds if len(seeds) > 1 else None, session)


def _run_new(group: CellGroup, seeds: list[int] | None, session: Session) -> CellGroup:
    """Keep the searches of a sweep as a new group, and run them."""
    asked = group.sweep.parameters | {"seeds": seeds, "refused": {**group.refused}}
    searches = [run.search for run in group.every]
    add: Any = add_points if group.sweep.command == SIMULATE else add_group
    group.stored = session.begin(lambda study: add(study, COMMAND, asked, searches))
    if group.stored is not None:
        for run, member in zip(group.every, group.stored.members, strict=True):
            run.stored = member
    return run_cells(group, session)


def _planned(
    sweep: Sweep, seeds: Sequence[int] | None, session: Session
) -> tuple[dict[str, list[CellRun | PointRun]], dict[str, str]]:
    """The searches of all cells, each with the time that its plan took, and why other cells have none."""
    said = ""
    session.planning()
    runs: dict[str, list[CellRun | PointRun]] = {}
    refusals: dict[str, InvalidParameters | Infeasible] = {}
    threads = session.engine.threads
    with session.display() as progress:
        for number, cell in enumerate(sweep.cells, 1):
            progress.show(f"planning cell {number}/{len(sweep.cells)} {cell.title}")
            try:
                began = time.monotonic()
                given = dict(cell.options) | ({"seed": seeds[0]} if seeds else {})
                if sweep.command == SWEEP:
                    given["name"] = cell.arguments[0]
                if sweep.command == SIMULATE:
                    given["networks"] = cell.arguments
                search, announcement = planned_search(sweep.command, given, threads)
                searches = [search, *(reseeded(search, seed) for seed in (seeds or ())[1:])]
                share = (time.monotonic() - began) / len(searches)
                runs[cell.name] = [_cell_run(one, planning=share) for one in searches]
                said = said or announcement
            except (InvalidParameters, Infeasible) as error:
                refusals[cell.name] = error
    if not runs:
        raise next(iter(refusals.values()))
    if said:
        session.say(f"every cell: {said}")
    return runs, {name: str(error) for name, error in refusals.items()}


def _cell_run(search: Search, **more: Any) -> CellRun | PointRun:
    return PointRun(search, **more) if isinstance(search, PointSearch) else CellRun(search, **more)


def run_cells(group: CellGroup, session: Session) -> CellGroup:
    """Run the searches that have not ended, and make the document of all cells."""
    undone = [run for run in group.every if not run.ended]
    titles = {cell.name: cell.title for cell in group.sweep.cells}
    names = {id(run): titles[cell] for cell, own in group.runs.items() for run in own}
    total = len(group.every)

    with session.display() as progress, telling_how_to_resume(group.stored):

        def on_status(number: int, status: Status, seconds: float) -> None:
            done = sum(run.ended for run in group.every)
            stage = f"cell {done + 1}/{total} {names[id(undone[number])]}"
            progress(replace(status, stage=stage), seconds, of=number)

        def name(run: Run) -> str:
            return f"cell {names[id(run)]}, seed {run.search.seed}"

        group.interrupted = run_group(undone, session, progress, on_status, name)
        for run in undone:
            if run.outcome is not None and not run.ended:  # the best so far of a cell that was interrupted
                run.conclude(run.outcome, session.threads, progress)
    group.document = _document_of(group)
    return group


def _document_of(group: CellGroup) -> Document | None:
    """The document of all cells; None where there is nothing to say of any."""
    rows = []
    for cell in group.sweep.cells:
        if cell.name in group.refused:
            rows.append(cell_row(cell.name, cell.values, None, remark=group.refused[cell.name]))
        elif (row := _row_of(group, cell)) is not None:
            rows.append(row)
    if not rows:
        return None
    done = [run.document for run in group.every if run.document is not None]
    evaluations, seconds = (sum(one[name] for one in done) for name in ("evaluations", "seconds"))
    name = None if group.stored is None else f"g{group.stored.id}"
    return _sweep_document(group.sweep, rows, evaluations, seconds, interrupted=group.interrupted, group=name)


def _row_of(group: CellGroup, cell: Cell) -> Row | None:
    """The row of a cell; None where Ctrl-C came before there was anything to say of it."""
    runs, best = group.runs[cell.name], group.best_of(cell.name)
    points = [run for run in runs if isinstance(run, PointRun)]
    if points:
        return _point_row(cell, points)
    if best is None or best.document is None:
        first = runs[0]
        if first.reason is None:
            return None
        number = first.stored and first.stored.id
        return cell_row(cell.name, cell.values, None, run=number, remark=first.reason)
    more: dict[str, Any] = {"seed": best.document["seed"], "run": best.stored and best.stored.id}
    if len(runs) > 1:
        more["spread"] = spread([run.document["results"][0] for run in runs if run.document is not None])
    return cell_row(cell.name, cell.values, best.document["results"][0], **more)


def _point_row(cell: Cell, points: Sequence[PointRun]) -> Row | None:
    """The row of a cell that is a point, the mean of its seeds; of work, that of all jobs; None before."""
    if len(points) > 1:
        return next((cell_row(cell.name, cell.values, row) for row in mean_rows(points)), None)
    [point] = points
    more = {"seed": point.search.seed, "run": point.stored and point.stored.id}
    return next((cell_row(cell.name, cell.values, row, **more) for row in point.rows), None)


def stored_cells(study: Study, group: Group) -> CellGroup:
    """The searches of a stored sweep; finished ones with their documents.

    Raises:
        StudyError: what is stored is damaged.
    """
    members = members_of(study, group.id)
    with study.reading(f"group g{group.id}"):
        sweep = sweep_of_parameters(group.parameters)
        refused, seeds = group.parameters.get("refused"), group.parameters.get("seeds") or [None]
        if not isinstance(refused, dict) or not isinstance(seeds, list):
            raise Damaged("parameters are of no sweep")
        cells = [cell for cell in sweep.cells if cell.name not in refused for _ in seeds]
        if len(members) != len(cells):
            raise Damaged(f"it has {len(members)} runs, expected {len(cells)}")
    runs: dict[str, list[CellRun | PointRun]] = {}
    for cell, member in zip(cells, members, strict=True):
        runs.setdefault(cell.name, []).append(_stored_cell(study, member))
    return CellGroup(sweep, runs, refused, StoredGroup(study, group.id, members))


def _stored_cell(study: Study, number: int) -> CellRun | PointRun:
    """The search of a cell, with its document where it has finished."""
    row = study.run(number)
    if row.command == SIMULATE:
        return stored_point(study, number)
    kept = CellRun(study.search(row), StoredRun(study, number))
    if row.status == "finished" and row.document is not None:
        kept.document, kept.ended = {**row.document}, True
        kept.standing = candidate_key(leaders_of(study, row)[0])
    return kept


@dataclass
class MeasuredCells:
    """The cells of a sweep whose command measures.

    Attributes:
        document: of all cells, or None where Ctrl-C came before there was any.
        networks: the best network of every cell that has one.
        interrupted: whether Ctrl-C came before all were done.
    """

    document: Document | None
    networks: Sequence[EvaluatedNetwork]
    interrupted: bool

    unmeasured = 0
    stored: StoredGroup | None = None

    def keep(self) -> None:
        """Measurements are not kept in a study."""

    def refuse_nothing(self) -> None:
        """A cell that is refused says why in its row."""


def _measured(sweep: Sweep, session: Session) -> MeasuredCells:
    """Measure one cell after another; one that is refused says why in its row.

    Raises:
        InvalidParameters, Infeasible, FormatError: all cells are refused; the reason of the first.
    """
    began, evaluations, interrupted = time.monotonic(), 0, False
    rows: list[Row] = []
    networks: list[EvaluatedNetwork] = []
    refusals: list[TopoctlError] = []
    with session.display() as progress:
        try:
            for number, cell in enumerate(sweep.cells, 1):
                progress.show(f"cell {number}/{len(sweep.cells)} {cell.title}")
                try:
                    with raised():
                        found, best_first = _measured_cell(sweep.command, cell, session)
                except (InvalidParameters, Infeasible, FormatError) as error:
                    refusals.append(error)
                    rows.append(cell_row(cell.name, cell.values, None, remark=str(error)))
                    continue
                rows.append(cell_row(cell.name, cell.values, found["results"][0]))
                networks += best_first[:1]
                evaluations += found["evaluations"] or 0
        except KeyboardInterrupt:
            interrupted = True
    if refusals and len(refusals) == len(rows) and not interrupted:
        raise refusals[0]
    seconds = time.monotonic() - began
    made = _sweep_document(sweep, rows, evaluations, seconds, interrupted=interrupted) if rows else None
    return MeasuredCells(made, networks, interrupted)


def _measured_cell(command: str, cell: Cell, session: Session) -> tuple[Document, list[EvaluatedNetwork]]:
    """What a command measures of a cell.

    Raises:
        KeyboardInterrupt: Ctrl-C came while the cell was enumerated.
    """
    options, quiet = dict(cell.options), Progress()
    match command:
        case "evaluate":
            of_networks = ("name_of_run", "rank", "concentration", "sort")
            named = {name: options.pop(name) for name in of_networks if name in options}
            request = EvaluationRequest(**options)
            return evaluation_document(request, cell.arguments, session, quiet, say=ignore, **named)
        case "enumerate":
            asked = EnumerationRequest(cell.arguments, **options)
            found, networks = enumerated(asked, session.threads, quiet, session.cluster)
            if found["status"] == "interrupted":
                raise KeyboardInterrupt
            refuse_nothing(found)
            return found, networks
        case "bounds":
            return bounds_document(BoundsRequest(**options)), []
        case "bounds hosts":
            return host_bounds_document(HostBoundsRequest(**options)), []
    return layout_bounds_document(LayoutBoundsRequest(**options), ignore), []


def _sweep_document(
    sweep: Sweep,
    rows_done: Sequence[Row],
    evaluations: int,
    seconds: float,
    *,
    interrupted: bool,
    group: str | None = None,
) -> Document:
    """The document of a sweep; its parameters say which axes its table has, and what that shows."""
    done, cells = len(rows_done), len(sweep.cells)
    rows, columns = (axis.name for axis in sweep.pivot) if sweep.pivot else (None, None)
    parameters = sweep.parameters
    parameters["table"] = {"rows": rows, "columns": columns, "value": shown_value(rows_done, sweep.value)}
    notes = [f"{done} of {cells} cells"] if done < cells else []
    if sweep.command == SWEEP:
        from topoctl.papers.sweeps import sweep as paper_sweep
        from topoctl.runs.paper_rows import sweep_notes

        known = paper_sweep(sweep.arguments[0])
        parameters |= {"name": known.name, "objective": known.objective}
        notes = sweep_notes(known, [*rows_done])
    return document(
        COMMAND,
        parameters,
        rows_done,
        evaluations=evaluations,
        seconds=seconds,
        status="interrupted" if interrupted else "finished",
        group=group,
        notes=notes,
    )
