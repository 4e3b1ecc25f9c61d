"""Options whose help lists names of a registry, which is imported when the help is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import rich_click as click


class ListedOption(click.Option):
    """An option with ``{names}`` in its help.

    The help of all commands is short and fast to show because it imports no registry.

    Args:
        names: of the registry.
    """

    def __init__(self, *args: Any, names: Callable[[], Iterable[str]], **options: Any) -> None:
        self.names = names
        super().__init__(*args, **options)

    @property
    def help(self) -> str | None:
        """The text, with the names."""
        return self.template and self.template.replace("{names}", ", ".join(self.names()))

    @help.setter  # noqa: A003 - click's name
    def help(self, text: str | None) -> None:
        self.template = text


def routings() -> Iterable[str]:
    """Names of routings."""
    from topoctl.routing import ROUTINGS

    return ROUTINGS


def patterns() -> Iterable[str]:
    """Names of patterns of traffic."""
    from topoctl.routing.patterns import PATTERNS

    return PATTERNS


def schemes() -> Iterable[str]:
    """Names of schemes of virtual channels."""
    from topoctl.routing.channels import SCHEMES

    return SCHEMES
