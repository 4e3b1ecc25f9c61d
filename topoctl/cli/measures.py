"""The options that name measures, and say how these are measured."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import rich_click as click

from topoctl.measures import MEASURES, Measure, measures_named

IN_CABINETS = ("latency", "power")
"""What sizes of cabinets ask for by themselves."""
ON_A_FLOOR = ("cost", "power", "latency")
"""What depends on a floor and prices."""


def measures_given(measures: str | None, *, in_cabinets: bool) -> tuple[Measure, ...]:
    """What is measured, by names separated by commas and by whether cabinets have sizes.

    Raises:
        InvalidParameters: a name is unknown.
    """
    named = measures_named(measures) if measures is not None else ()
    implied = [MEASURES[name] for name in IN_CABINETS] if in_cabinets else []
    return tuple(measure for measure in MEASURES.values() if measure in (*named, *implied))


OF_MEASURES = {
    "partitions": (
        "bisection",
        click.IntRange(min=1),
        "N",
        "Halvings to refine for the bisection [default: 24].",
    ),
    "partition_seconds": (
        "bisection",
        click.FloatRange(min=0),
        "S",
        "Begin no further halving after so long [default: no limit].",
    ),
    "partitioner": (
        "bisection",
        click.Choice(["topoctl", "kahip"]),
        None,
        "What draws halvings; kahip has to be installed [default: topoctl].",
    ),
    "trials": ("resilience", click.IntRange(min=6), "T", "Random orders of failures [default: 100]."),
}
"""Options that one measure has: which, their type, their metavar and their help, by parameter."""


def options_of_measures(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add these options to a command."""
    for name, (_, kind, metavar, text) in reversed(OF_MEASURES.items()):
        option = click.option(f"--{name.replace('_', '-')}", type=kind, metavar=metavar, help=text)
        command = option(command)
    return command


def given_of_measures(chosen: Iterable[Measure], options: dict[str, Any]) -> dict[str, Any]:
    """Those of these options that are given.

    Raises:
        UsageError: one of a measure that was not asked for.
    """
    names = {measure.name for measure in chosen}
    given = {name: value for name, value in options.items() if value is not None}
    for name in given:
        if OF_MEASURES[name][0] not in names:
            raise click.UsageError(
                f"--{name.replace('_', '-')} is for --measures {OF_MEASURES[name][0]}: give that too"
            )
    return given
