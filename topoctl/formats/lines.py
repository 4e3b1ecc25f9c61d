"""Shared code of all text formats: the check of every line, its numbers, and the links they make."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import FormatError, quoted
from topoctl.graph import MAX_ROUTERS, Graph, link_fault

NUMBER = "[0-9]{1,10}+"
ROW = rf"[ \t]*+(?:{NUMBER}(?:[ \t]++{NUMBER})*+[ \t]*+)?+\r?+\n"
"""A line of any count of numbers."""
MAX_ISOLATED = 1_000_000
"""Isolated routers that a file may imply. With more, its largest number is a typing error, not a network."""

COMMENT = re.compile(r"#[^\n]*")
ONLY_DIGITS = bytes(byte if 48 <= byte < 58 else 32 for byte in range(256))
FIRST_DIGIT, NEW_LINE = ord("0"), ord("\n")


@dataclass(frozen=True)
class Numbers:
    """The numbers of a text whose lines all fit its format.

    Attributes:
        path: for messages.
        text: without its comments, in as many lines as the file.
        values: int64, shape (numbers,).
        lines: the line of every number, from 1: int64, shape (numbers,).
    """

    path: str
    text: str
    values: NDArray[np.int64]
    lines: NDArray[np.int64]

    def fault(self, line: int, reason: str) -> FormatError:
        """The error that names a line and what it holds."""
        return fault(self.path, self.text, line, reason)


def fault(path: str, text: str, line: int, reason: str) -> FormatError:
    """The error that names a line, from 1, of a text, and what it holds."""
    found = text.split("\n")[line - 1].strip()
    return FormatError(path, f"found {quoted(found)}: {reason}", line)


def line_pattern(link: str) -> re.Pattern[str]:
    """A pattern of whole texts, whose lines hold one link, or nothing, and may end in a ``#`` comment.

    Every quantifier is possessive, so it runs in linear time; `link` must keep to that.
    """
    return re.compile(rf"(?:[ \t]*+(?:{link}[ \t]*+)?+(?:#[^\n]*+)?+\r?+\n)*+")


def _without_comments(text: str) -> str:
    """A text without what follows a ``#``."""
    return COMMENT.sub("", text)


def read_numbers(
    path: str,
    text: str,
    pattern: re.Pattern[str],
    expected: str,
    strip: Callable[[str], str] = _without_comments,
) -> Numbers:
    """The numbers of a text, all but those in comments.

    Args:
        path: for messages.
        text: the whole file.
        pattern: of whole texts of the format; its quantifiers are possessive.
        expected: what a line should hold, for messages.
        strip: takes out what is no content, and no end of a line.

    Raises:
        FormatError: a line does not match the pattern; the first one is named.
    """
    if not text.endswith("\n"):
        text += "\n"
    found = pattern.match(text)
    end = found.end() if found else 0
    if end < len(text):
        start = text.rfind("\n", 0, end) + 1
        line = text[start : text.index("\n", end)].strip()
        raise FormatError(path, f"found {quoted(line)}, expected {expected}", text.count("\n", 0, end) + 1)
    bare = strip(text)
    values, lines = numbers_of(bare)
    return Numbers(path, bare, values, lines)


def numbers_of(text: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    r"""Every run of digits as a number, and its line, from 1: both int64, shape (numbers,).

    Example:
        >>> [array.tolist() for array in numbers_of("3 2\n\n0,12\n")]
        [[3, 2, 0, 12], [1, 1, 3, 3]]
    """
    data = text.encode(errors="replace")
    letters = np.frombuffer(data, dtype=np.uint8)
    digits = letters - np.uint8(FIRST_DIGIT) < 10
    digits[1:] &= ~digits[:-1]
    starts = np.flatnonzero(digits)
    if not len(starts):
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    lines = 1 + np.searchsorted(np.flatnonzero(letters == NEW_LINE), starts)
    return np.fromstring(data.translate(ONLY_DIGITS), dtype=np.int64, sep=" "), lines.astype(np.int64)


def linked_graph(
    numbers: Numbers, pairs: NDArray[np.int64], order: int, lines: NDArray[np.int64], *, declared: bool
) -> Graph:
    """Build the graph of the links that a text holds.

    Args:
        numbers: of the text, to name the line of a wrong link.
        pairs: int64, shape (links, 2).
        order: routers.
        lines: the line of every link, int64, shape (links,).
        declared: whether `order` was asked for; otherwise it comes from the largest number in the text.

    Raises:
        FormatError: no links, a router out of range, a self-loop, or a link given twice; names the line.
    """
    if not declared:
        _require_dense(numbers, pairs, order, lines)
    found = link_fault(order, pairs)
    if found is None:
        return Graph.from_links(order, pairs)
    row, reason = found
    same = np.flatnonzero((np.sort(pairs, axis=1) == np.sort(pairs[row])).all(axis=1))[0]
    if same < row:
        reason = f"the same link as on line {lines[same]}, expected once"
    raise numbers.fault(int(lines[row]), reason)


def _require_dense(numbers: Numbers, pairs: NDArray[np.int64], order: int, lines: NDArray[np.int64]) -> None:
    if not len(pairs):
        raise FormatError(numbers.path, "no links; expected one per line")
    if order > min(MAX_ROUTERS, pairs.size + MAX_ISOLATED):
        line = int(lines[int(pairs.max(axis=1).argmax())])
        content = quoted(numbers.text.split("\n")[line - 1].strip())
        wanted = f"expected at most {MAX_ISOLATED} routers without a link"
        raise FormatError(numbers.path, f"found {content}, which makes {order} routers: {wanted}", line)


def require_order(numbers: Numbers, order: int, links: int, line: int = 1) -> None:
    """Refuse a declared number of routers that is 0, or far larger than the links can join."""
    if not 1 <= order <= min(MAX_ROUTERS, 2 * links + MAX_ISOLATED):
        wanted = f"expected 1 or more, and at most {MAX_ISOLATED} without a link"
        raise numbers.fault(line, f"{order} routers, {wanted}")


def require_links(numbers: Numbers, declared: int, found: int, line: int = 1) -> None:
    """Refuse a text that holds another number of links than it declares."""
    if declared != found:
        raise numbers.fault(line, f"{declared} links declared, expected the {found} that follow")
