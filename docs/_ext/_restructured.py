"""Texts and tables in reStructuredText."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

LITERAL = re.compile(r"`([^`]+)`|(?<![\w-])(--[a-z][\w-]*)")
"""What plain text marks as typed: in backquotes, or an option."""


def text(plain: str) -> str:
    r"""Plain text as reStructuredText, what is typed as literals.

    Example:
        >>> print(text("a*b, see `topoctl runs list` and --k"))
        a\*b, see \ ``topoctl runs list``\  and \ ``--k``\
    """
    parts = LITERAL.split(plain)
    pieces = []
    for start in range(0, len(parts), 3):
        pieces.append(re.sub(r"([\\*`_|])", r"\\\1", parts[start]))
        typed = next(filter(None, parts[start + 1 : start + 3]), "")
        pieces.append(literal(typed) if typed else "")
    return "".join(pieces).rstrip(" ")


def literal(typed: str) -> str:
    """What is typed, wherever it stands in a text."""
    return rf"\ ``{typed}``\ "


def heading(title: str, line: str = "=") -> list[str]:
    """A heading."""
    return [title, line * len(title), ""]


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A table, whose cells are reStructuredText."""
    lines = [".. list-table::", "   :header-rows: 1", "   :class: reference", ""]
    for row in (headings, *rows):
        lines += [f"   {'-' if column else '* -'} {cell}".rstrip() for column, cell in enumerate(row)]
    return [*[re.sub(r"^   - ", "     - ", line) for line in lines], ""]


def indented(lines: Iterable[str]) -> list[str]:
    """Lines that belong to a directive."""
    return [f"   {line}".rstrip() for line in lines]
