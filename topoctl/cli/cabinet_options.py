"""The types of options that say what sizes cabinets have, and how long links are."""

from __future__ import annotations

from typing import Any

import rich_click as click

from topoctl.cli.numbers import real, whole


class CabinetSizes(click.ParamType[tuple[float, float]]):
    """Width and depth in metres."""

    name = "WxD"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[float, float]:
        """Text such as ``0.6x2.1`` to two numbers."""
        if isinstance(value, tuple):
            return value
        try:
            width, depth = (real(size) for size in value.split("x"))
        except ValueError:
            self.fail(f"{value!r}: expected width and depth in metres, such as 0.6x2.1", param, ctx)
        return width, depth


class Length(click.ParamType[int | str]):
    """Steps of a layout, or text that says metres."""

    name = "L|METRESm"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | str:  # noqa: ARG002
        """A whole number becomes one; :func:`topoctl.runs.lengths.metres_of` reads all else."""
        try:
            return whole(str(value))
        except ValueError:
            return str(value)
