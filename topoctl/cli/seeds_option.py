"""``--seed`` and ``--seeds`` of the commands that search."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import rich_click as click

Callback = TypeVar("Callback", bound=Callable[..., Any])


class Seeds(click.ParamType[tuple[int, ...]]):
    """Seeds, as a range, a list, or how many."""

    name = "A..B|A,B,…|COUNT"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """Text such as ``1..32`` to ascending seeds."""
        from topoctl.errors import InvalidParameters
        from topoctl.search.seeds import seeds_named

        try:
            return value if isinstance(value, tuple) else seeds_named(value)
        except InvalidParameters as error:
            self.fail(str(error), param, ctx)


def seed_options(callback: Callback) -> Callback:
    """Add both options to a command."""
    callback = click.option(
        "--seeds",
        type=Seeds(),
        metavar="A..B|A,B,…|COUNT",
        help="Run once with each of these seeds, as one group of the study; 8 is 1..8.",
    )(callback)
    return click.option("--seed", type=int, metavar="SEED", help="Seed of all draws [default: 1].")(callback)


def refuse_both(options: dict[str, Any]) -> None:
    """Refuse one seed beside several."""
    if options.get("seed") is not None and options.get("seeds") is not None:
        raise click.UsageError("--seed and --seeds exclude each other; --seeds 5..12 begins from 5")
