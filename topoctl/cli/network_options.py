"""The options of commands that take a network, or one of a run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import rich_click as click

from topoctl.cli import completion
from topoctl.cli.names import NameType

Callback = TypeVar("Callback", bound=Callable[..., Any])


def run_option(help_text: str) -> Callable[[Callback], Callback]:
    """``--run``: a run or a group of the study."""
    return click.option(
        "--run",
        "name_of_run",
        type=NameType(),
        metavar="ID|gN",
        shell_complete=completion.runs,
        help=help_text,
    )


def concentration_option(help_text: str) -> Callable[[Callback], Callback]:
    """``--p``: endpoints of networks whose name does not say how many."""
    return click.option(
        "--p",
        "--endpoints-per-router",
        "concentration",
        type=click.IntRange(min=0),
        metavar="P",
        help=help_text,
    )
