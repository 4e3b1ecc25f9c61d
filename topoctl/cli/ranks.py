"""Which network of a run an option means."""

from __future__ import annotations

from typing import Any

import rich_click as click

from topoctl.cli.numbers import whole


class Rank(click.ParamType[int]):
    """A rank counted from 1, or ``all``, which is 0."""

    name = "R|all"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Text to a number."""
        if value == "all":
            return 0
        try:
            rank = whole(str(value))
        except ValueError:
            rank = 0
        if rank < 1:
            self.fail(f"{value!r}: expected a rank from 1 on, or all", param, ctx)
        return rank
