"""``topoctl plot --run``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topoctl.cli.options import Settings
from topoctl.cli.search_command import search_command
from topoctl.cli.studies import existing
from topoctl.errors import InvalidParameters, StudyError
from topoctl.report.listed_rows import run_row

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from topoctl.report.document import Row


def run_picture(number: int, settings: Settings) -> tuple[Figure, Row]:
    """The picture of a stored run, and its row: an annealing's trace, or the figure of a sweep.

    Raises:
        StudyError: there is no such run, or it has stored nothing to draw yet.
        InvalidParameters: a run of another search.
    """
    with existing(settings) as study:
        run = study.run(number)
        with study.reading(number):
            command = search_command(run.command)
        if command.picture is None:
            raise InvalidParameters(f"run {number} is a {run.command}: expected a run of topoctl optimize")
        figure = command.picture(study, run)
    if figure is None:
        raise StudyError(
            f"run {number} has stored nothing to draw yet; go on with: topoctl runs resume {number}"
        )
    return figure, {"rank": 1, **run_row(run)}
