"""``topoctl presets``."""

from __future__ import annotations

import rich_click as click

from topoctl.cli.lazy import LazyGroup


@click.group(cls=LazyGroup, words="presets")
def presets() -> None:
    """Published networks worth searching again, and the papers' tables beside what comes out here."""
