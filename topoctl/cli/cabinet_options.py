"""The options that say what sizes cabinets have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import rich_click as click

from topoctl.cli.numbers import real

if TYPE_CHECKING:
    from topoctl.floor.cabinets import Cabinets


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


def cabinets_given(cabinet: tuple[float, float] | None, overhead: float | None) -> Cabinets | None:
    """The cabinets that the options describe; None without a size.

    Raises:
        UsageError: an overhead without a cabinet.
        InvalidParameters: a size that no cabinet has.
    """
    from topoctl.floor.cabinets import Cabinets

    if cabinet is None:
        if overhead is not None:
            raise click.UsageError("--overhead is for cables between cabinets: give --cabinet WxD too")
        return None
    return Cabinets(*cabinet, overhead=overhead or 0.0)
