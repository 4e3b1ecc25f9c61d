"""``topoctl runs``."""

from __future__ import annotations

import rich_click as click

from topoctl.cli.lazy import LazyGroup


@click.group(cls=LazyGroup, words="runs")
def runs() -> None:
    """The runs of a study: list, show, compare, note, export and delete them, resume or repeat one."""
