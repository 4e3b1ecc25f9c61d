"""The groups of options that the help of a command shows, each in a frame of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import rich_click as click

PANELS = {
    "Search": (
        *("objective", "symmetry", "method", "start", "origin", "group"),
        *("even_hops", "fixed_even", "fixed_odd"),
        *("population", "generations", "crossover", "mutation", "islands", "recable", "afresh", "replicas"),
        *("seconds", "evaluations", "moves", "stagnation", "target_diameter", "seed", "seeds"),
    ),
    "Routers": ("class_width", "buffer", "speedup", "routing_delay", "credit_delay", "packet_size"),
    "Measuring": (
        *("measures", "partitions", "partitioner", "partition_seconds", "trials", "sources", "exact"),
        *("precision", "cycles", "replay", "simulate"),
    ),
    "Floor, cables and prices": (
        *("cabinet", "overhead", "max_latency_ns"),
        *("floor", "prices", "electrical", "sold", "convention", "room"),
        *("rack", "aisle", "units", "routers_per_rack", "tray", "stock"),
    ),
    "Results": (
        *("sort", "top", "each", "front", "front_tolerance", "graph", "graphs"),
        *("plan", "batch", "report", "plotted", "curves", "curve", "picture", "title", "packets"),
        *("as_json", "form", "output", "columns"),
    ),
    "Running": ("cluster", "workers", "study", "no_study", "quiet", "take_over"),
}
"""Names of parameters, by panel; what is in none is a command's own and comes first."""
OWN = "Options"
_FEWEST = 12
"""A command with fewer options of its own and of these panels shows them in one list."""


def panels_of(parameters: Sequence[click.Parameter]) -> list[click.RichPanel[Any, Any]]:
    """The panels of a command, in the order of PANELS; none where its options are few.

    What a panel would hold alone stays with the command's own: the seed of a command that does not search.
    """
    shown = {one.name: one.opts[0] for one in parameters if isinstance(one, click.Option) and not one.hidden}
    if len(shown) < _FEWEST:
        return []
    words = {panel: [shown[name] for name in names if name in shown] for panel, names in PANELS.items()}
    grouped = {panel: options for panel, options in words.items() if len(options) > 1}
    own = [word for word in shown.values() if not any(word in options for options in grouped.values())]
    grouped.get("Running", own).append("--help")
    return [
        click.RichOptionPanel(name=name, options=options) for name, options in {OWN: own, **grouped}.items()
    ]
