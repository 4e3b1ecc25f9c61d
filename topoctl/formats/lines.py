"""What the formats with one link per line share: the check of every line, and of the links they make."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import FormatError, quoted
from topoctl.graph import MAX_ROUTERS, Graph, link_fault

NUMBER = "[0-9]{1,10}+"
SPARSEST = 1_000_000
"""Isolated routers that a file may imply. Beyond, its largest number is a slip, not a network."""

COMMENT = re.compile(r"#[^\n]*")
NOT_DIGITS = re.compile(r"[^0-9\n]+")


def line_pattern(link: str) -> re.Pattern[str]:
    """A pattern of whole texts, whose lines hold one link, or nothing, and may end in a ``#`` comment.

    Every quantifier is possessive, so it runs in linear time; `link` must keep to that.
    """
    return re.compile(rf"(?:[ \t]*+(?:{link}[ \t]*+)?+(?:#[^\n]*+)?+\r?+\n)*+")


def read_numbers(
    path: str, text: str, pattern: re.Pattern[str], columns: int, expected: str
) -> NDArray[np.int64]:
    """The numbers of every line that holds a link.

    Args:
        path: for messages.
        text: the whole file.
        pattern: from :func:`line_pattern`.
        columns: numbers per link.
        expected: what a line should hold, for messages.

    Returns:
        int64, shape (links, columns).

    Raises:
        FormatError: a line does not match the pattern; the first one is named.
    """
    if not text.endswith("\n"):
        text += "\n"
    found = pattern.match(text)
    end = found.end() if found else 0
    if end < len(text):
        line = text[end : text.index("\n", end)].strip()
        raise FormatError(path, f"found {quoted(line)}, expected {expected}", text.count("\n", 0, end) + 1)
    digits = NOT_DIGITS.sub(" ", COMMENT.sub("", text))
    if not digits.strip():
        return np.empty((0, columns), dtype=np.int64)
    return np.fromstring(digits, dtype=np.int64, sep=" ").reshape(-1, columns)


def linked_graph(path: str, text: str, pairs: NDArray[np.int64], order: int, *, declared: bool) -> Graph:
    """Build the graph of the links that a text holds, one per line that is not blank.

    Args:
        path: for messages.
        text: the whole file, to find the line of a wrong link.
        pairs: int64, shape (links, 2).
        order: routers.
        declared: whether `order` was asked for; otherwise it comes from the largest number in the text.

    Raises:
        FormatError: no links, a router out of range, a self-loop, or a link given twice; names the line.
    """
    if not declared:
        _require_dense(path, text, pairs, order)
    fault = link_fault(order, pairs)
    if fault is None:
        return Graph.from_links(order, pairs)
    row, reason = fault
    lines = link_lines(text)
    number, found = lines[row]
    same = np.flatnonzero((np.sort(pairs, axis=1) == np.sort(pairs[row])).all(axis=1))[0]
    if same < row:
        reason = f"the same link as on line {lines[same][0]}, expected once"
    raise FormatError(path, f"found {quoted(found)}: {reason}", number)


def _require_dense(path: str, text: str, pairs: NDArray[np.int64], order: int) -> None:
    if not len(pairs):
        raise FormatError(path, "no links; expected one per line")
    if order > min(MAX_ROUTERS, pairs.size + SPARSEST):
        number, found = link_lines(text)[int(pairs.max(axis=1).argmax())]
        wanted = f"expected at most {SPARSEST} routers without a link"
        raise FormatError(path, f"found {quoted(found)}, which makes {order} routers: {wanted}", number)


def link_lines(text: str) -> list[tuple[int, str]]:
    """The line of every link: its number, from 1, and its content."""
    bare = COMMENT.sub("", text)
    return [(number, line.strip()) for number, line in enumerate(bare.split("\n"), start=1) if line.strip()]
