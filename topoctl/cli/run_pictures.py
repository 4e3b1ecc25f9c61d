"""``topoctl plot --run``, and with ``--rank``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topoctl.cli.options import Settings
from topoctl.cli.search_command import search_command
from topoctl.cli.studies import existing
from topoctl.errors import InvalidParameters, StudyError
from topoctl.kernels.backend import thread_count
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


def network_picture(number: int, rank: int, settings: Settings) -> tuple[Figure, Row]:
    """The picture of a network of a stored run, measured again, and its row.

    Raises:
        StudyError: there is no such run, or what is stored is damaged.
        InvalidParameters: the run has no such rank.
    """
    from topoctl.cli.exports import stored_networks
    from topoctl.report.plots import draw_layout
    from topoctl.report.rows import network_row
    from topoctl.search.evaluated_networks import evaluated

    threads = thread_count(settings.workers)
    with existing(settings) as study:
        certified = stored_networks(study, study.run(number), rank, threads)[rank]
    figure = draw_layout(certified.topology, certified.distances)
    return figure, network_row(rank, evaluated(certified, threads))
