"""What both commands of ``topoctl optimize`` accept, and what they do with it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import rich_click as click

from topoctl.cli import completion
from topoctl.cli.numbers import whole
from topoctl.cli.options import Settings, graph_option

if TYPE_CHECKING:
    from topoctl.search.annealing import AnnealingSearch
    from topoctl.search.annealing.request import AnnealingRequest
    from topoctl.search.protocol import Search

Callback = TypeVar("Callback", bound=Callable[..., Any])
DEFAULT_SECONDS, BARE_SECONDS = 20.0, 10.0


class Symmetry(click.ParamType[int | None]):
    """The order of a rotation, or ``auto``."""

    name = "auto|ORDER"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | None:
        """``auto`` becomes None."""
        if value is None or value == "auto":
            return None
        try:
            return whole(value)
        except ValueError:
            self.fail(f"{value!r}: expected auto or a whole number", param, ctx)


def annealing_options(callback: Callback) -> Callback:
    """Add the options of an annealing search to a command."""
    decorators = [
        click.option(
            "--preset",
            metavar="NAME",
            help="Take an instance from a preset; options override it.",
            shell_complete=completion.presets,
        ),
        click.option("--k", "degree", type=int, metavar="K", help="Links per router, at most."),
        click.option(
            "--symmetry",
            type=Symmetry(),
            default="auto",
            show_default=True,
            metavar="auto|ORDER",
            help="Hold the network to a rotation of this order; 1 for none.",
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
        click.option("--seed", type=int, metavar="SEED", help="Seed of all draws [default: 1]."),
        click.option("--top", type=int, metavar="COUNT", help="Distinct networks to report [default: 3]."),
        graph_option,
    ]
    return functools.reduce(lambda decorated, decorate: decorate(decorated), reversed(decorators), callback)


def run_annealing(
    command: str, settings: Settings, request: AnnealingRequest, graph: Path | None, announcement: str
) -> None:
    """Plan the search, run it, report it."""
    from topoctl.cli.running import plan_and_run
    from topoctl.report.messages import say
    from topoctl.search.registry import search_class

    if announcement and not settings.quiet:
        say(announcement)

    def plan(threads: int) -> Search:
        search: AnnealingSearch = search_class(command).plan(request, threads, command)
        if search.problem.irregularity and not settings.quiet:
            say(search.problem.irregularity)
        return search

    plan_and_run(plan, settings, graph)


def from_preset(command: str, name: str, given: dict[str, Any]) -> dict[str, Any]:
    """The options with what they leave open taken from a preset."""
    from topoctl.papers.presets import preset

    return {**preset(name, command).search.model_dump(), **given}


def bare(command: str, name: str, missing: str, given: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """A preset's instance for a command that names none, in less time than else; and what to say of it."""
    announcement = f"no {missing} or --preset: preset {name}"
    if "seconds" not in given and "moves" not in given:
        given = {**given, "seconds": BARE_SECONDS}
        announcement += f" for {BARE_SECONDS:.0f} s"
    return from_preset(command, name, given), announcement


def limited(given: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """The options with a default time where they name no limit, and what to say of it."""
    if "seconds" in given or "moves" in given:
        return given, ""
    return {
        "seconds": DEFAULT_SECONDS,
        **given,
    }, f"no --seconds or --moves: optimizing for {DEFAULT_SECONDS:.0f} s"
