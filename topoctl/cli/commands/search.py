"""``topoctl search``."""

from __future__ import annotations

import rich_click as click

from topoctl.cli.lazy import LazyGroup


@click.group(cls=LazyGroup, words="search")
def search() -> None:
    """Search a family for the networks with the shortest paths."""
