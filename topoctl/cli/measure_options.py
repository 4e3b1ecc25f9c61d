"""The options that one measure has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import rich_click as click

OPTIONS = (
    click.option(
        "--partitions",
        type=click.IntRange(min=1),
        metavar="N",
        help="Halvings to refine for the bisection [default: 24].",
    ),
    click.option(
        "--partitioner",
        type=click.Choice(["topoctl", "kahip"]),
        help="What draws them; kahip has to be installed [default: topoctl].",
    ),
    click.option(
        "--partition-seconds",
        type=float,
        metavar="S",
        help="Begin no further halving after so long [default: no limit].",
    ),
    click.option(
        "--trials",
        type=click.IntRange(min=6),
        metavar="T",
        help="Random orders of failures for the resilience [default: 100].",
    ),
)


def measure_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add them to a command."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command
