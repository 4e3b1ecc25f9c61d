"""``topoctl optimize sweep``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import rich_click as click

from topoctl.cli import completion
from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.options import (
    Settings,
    cluster_option,
    given_in,
    request_options,
    shared_options,
    sweep_files,
)
from topoctl.cli.result_files import title_option
from topoctl.cli.runs import SearchCommand
from topoctl.report.notes import paper_notes
from topoctl.report.paper_sweeps import draw_diameters_or_rows
from topoctl.report.table import Table
from topoctl.search.annealing.request import DescentRequest

COLUMNS = (
    *("cell", "file", "layout", "width", "height", "degree", "length_limit", "diameter", "aspl"),
    *("layout_aspl_gap", "graph_golf_gap_percent", "aspl_lower_bound", "length_aspl_bound"),
    *("layout_diameter_bound", "layout_aspl_bound", "well_balanced", "outcome", "balance_difference"),
    *("agrees", "remark"),
)
SEARCH = SearchCommand(Table(COLUMNS, paper_notes, draw_diameters_or_rows))
LIST = Table(("name", "title", "cells"))

EXAMPLES = """Examples:
  topoctl optimize sweep                                 list the tables and figures
  topoctl optimize sweep table2 --picture table2.svg --graphs table2 --records-only
  topoctl optimize sweep table2 --cells k=5,l=9..11 --seconds 120
  topoctl optimize sweep fig4 --picture fig4.pdf --seconds 10 --output fig4.csv
  topoctl optimize sweep table4 --picture table4.png     bounds alone, at once

Ctrl-C keeps the cells so far; `topoctl runs resume gN` resumes with the rest."""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@click.argument("name", required=False, shell_complete=completion.sweeps)
@request_options(DescentRequest)
@sweep_files(
    picture="Draw the table or figure, its format by suffix.",
    graphs="Write each cell's best network, as k5-l10.edges.",
)
@title_option("Title of the picture")
@click.option("--records-only", is_flag=True, help="With --graphs: only networks that beat the paper.")
@cluster_option
@shared_options
def optimize_sweep(
    *,
    settings: Settings,
    name: str | None,
    picture: Path | None,
    title: str | None,
    graphs: Path | None,
    records_only: bool,
    cells: str | None,
    **given: Any,
) -> None:
    """Search every cell of a table or figure of Nakano et al. (2016), and compare with the paper's.

    Search one network for every degree K and length L, each with moves of its own: for the paper's diameter,
    then for one less; or for the least ASPL. Tables of bounds need no search. Without NAME, list the tables
    and figures.
    """
    from topoctl.cli import sweeps
    from topoctl.cli.runs import session_of
    from topoctl.papers.sweeps import sweep
    from topoctl.runs.cells import run_sweep
    from topoctl.runs.sweep import option_words, paper_sweep

    if name is None:
        settings.emit(sweeps.list_document(), LIST)
        return
    files = sweeps.SweepFiles(picture, title, graphs, records_only)
    known, options = sweep(name), given_in(given)
    if known.objective == "bounds":
        if options or cells or graphs:
            raise click.UsageError(f"{known.name} needs no search: only --picture goes with it")
        sweeps.report_bounds(known, files, settings)
        return
    words = [] if options.pop("records", True) else ["--no-records"]
    words += [word for name, value in options.items() for word in option_words(name, value)]
    asked = paper_sweep(known, cells).with_more(words, ())
    with session_of(settings) as session:
        found = run_sweep(asked, None, session)
        sweeps.report_sweep(found, settings, files)
