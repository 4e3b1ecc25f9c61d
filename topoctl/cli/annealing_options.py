"""What `topoctl optimize grid` and `optimize graph` both accept."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import rich_click as click

from topoctl.cli import completion
from topoctl.cli.numbers import whole
from topoctl.cli.options import graph_option
from topoctl.cli.seeds_option import seed_options

Callback = TypeVar("Callback", bound=Callable[..., Any])


class Symmetry(click.ParamType[int | tuple[int, ...] | None]):
    """The order of a rotation, a group, or ``auto``."""

    name = "auto|ORDER|S,T,R"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> int | tuple[int, ...] | None:
        """``auto`` becomes None."""
        if value is None or value == "auto":
            return None
        try:
            numbers = tuple(whole(part) for part in str(value).split(","))
        except ValueError:
            self.fail(f"{value!r}: expected auto, a whole number, or a group S,T,R", param, ctx)
        return numbers if len(numbers) > 1 else numbers[0]


def annealing_options(callback: Callback) -> Callback:
    """Add the options of an annealing search to a command."""
    decorators = [
        click.option(
            "--preset",
            metavar="NAME",
            help="Take an instance from a preset; options override it.",
            shell_complete=completion.presets,
        ),
        click.option(
            "--k", "--network-radix", "degree", type=int, metavar="K'", help="Links per router, k', at most."
        ),
        click.option(
            "--symmetry",
            type=Symmetry(),
            default="auto",
            show_default=True,
            metavar="auto|ORDER|S,T,R",
            help="Hold the network to a rotation of this order, 1 for none, or without positions to a group.",
        ),
        click.option(
            "--target-diameter",
            type=int,
            metavar="D",
            help="Press on the diameter alone, and end when it is D.",
        ),
        click.option("--seconds", type=float, metavar="S", help="Planned time [default: 20]."),
        click.option("--moves", type=int, metavar="M", help="Planned moves of a replica, instead of a time."),
        click.option(
            "--replicas", type=int, metavar="COUNT", help="Networks annealed side by side [default: 2]."
        ),
        click.option(
            "--evaluation",
            "method",
            type=click.Choice(["full", "affected", "delta"]),
            help="How changed networks are measured; the result is the same [default: the fastest].",
        ),
        click.option(
            "--start",
            type=click.Path(path_type=str, dir_okay=False),
            metavar="FILE",
            help="Improve the network in this file.",
        ),
        seed_options,
        click.option("--top", type=int, metavar="COUNT", help="Distinct networks to report [default: 3]."),
        graph_option,
    ]
    return functools.reduce(lambda decorated, decorate: decorate(decorated), reversed(decorators), callback)
