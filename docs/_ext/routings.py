"""What the records of routings and of patterns of traffic say, written where a page has their mark."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from topoctl.routing import ROUTINGS
from topoctl.routing.patterns import PATTERNS

if TYPE_CHECKING:
    from sphinx.application import Sphinx

MARK = re.compile(r"^<!-- (routings|patterns) -->$", re.MULTILINE)


def expand(_: Sphinx, page: str, source: list[str]) -> None:  # noqa: ARG001 - Sphinx's
    """Write the records into a page."""
    source[0] = MARK.sub(lambda mark: "\n".join(TABLES[mark[1]]()), source[0])


def routings() -> Iterator[str]:
    """A table of all routings."""
    yield "| routing | what it does | source |"
    yield "| --- | --- | --- |"
    for routing in ROUTINGS.values():
        yield f"| `{routing.name}` | {routing.title} | {routing.source} |"


def patterns() -> Iterator[str]:
    """A table of all patterns."""
    yield "| pattern | every endpoint sends | source |"
    yield "| --- | --- | --- |"
    for pattern in PATTERNS.values():
        names = ",".join(f"{one.name}=…" for one in pattern.parameters)
        yield f"| `{pattern.name}{f'({names})' if names else ''}` | {pattern.title} | {pattern.source} |"


TABLES: dict[str, Callable[[], Iterator[str]]] = {"routings": routings, "patterns": patterns}


def setup(app: Sphinx) -> dict[str, Any]:
    """Tell Sphinx."""
    app.connect("source-read", expand)
    return {"parallel_read_safe": True}
