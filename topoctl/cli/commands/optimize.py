"""``topoctl optimize``."""

from __future__ import annotations

import rich_click as click

from topoctl.cli.lazy import LazyGroup


@click.group(cls=LazyGroup, words="optimize")
def optimize() -> None:
    """Exchange links of a network until its paths are as short as its ports and cables allow."""
