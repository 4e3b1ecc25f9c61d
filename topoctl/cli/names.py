"""Runs and groups as options and arguments: ``7`` and ``g1``."""

from __future__ import annotations

from typing import Any

import rich_click as click

from topoctl.runs.names import Name


class NameType(click.ParamType[Name]):
    """A run, or a group."""

    name = "ID|gN"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Name:
        """Text to a name."""
        found = value if isinstance(value, Name) else Name.of(str(value))
        if found is None:
            self.fail(
                f"{value!r}: expected the number of a run, such as 7, or a group, such as g1", param, ctx
            )
        return found


class GroupType(NameType):
    """A group; its number alone will do."""

    name = "gN"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Name:
        """Text to the name of a group."""
        return Name(super().convert(value, param, ctx).number, is_group=True)
