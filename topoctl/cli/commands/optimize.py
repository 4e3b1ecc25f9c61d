"""``topoctl optimize``."""

from __future__ import annotations

import rich_click as click

from topoctl.cli.lazy import LazyGroup

PLACES = {
    "grid": "topoctl.cli.commands.optimize_grid:grid",
    "graph": "topoctl.cli.commands.optimize_graph:graph",
    "sweep": "topoctl.cli.commands.optimize_sweep:sweep",
}


@click.group(cls=LazyGroup, places=PLACES)
def optimize() -> None:
    """Exchange links of a network until its paths are as short as its ports and cables allow."""
