"""The errors that topoctl raises on purpose: what was wrong, the value, and what would be right."""

from __future__ import annotations

from typing import ClassVar


class TopoctlError(Exception):
    """Root of all errors of topoctl; raised as such for a failure while running (disk full, memory)."""

    exit_code: ClassVar[int] = 1


class InvalidParameters(TopoctlError, ValueError):  # noqa: N818 - the condition is the name
    """An option, a parameter or a spec is wrong."""

    exit_code: ClassVar[int] = 2


class Infeasible(TopoctlError):  # noqa: N818
    """The request is well formed, but nothing can satisfy it."""

    exit_code: ClassVar[int] = 3


class FormatError(TopoctlError):
    """A file is missing, unreadable or malformed.

    Args:
        path: the file, or ``-`` for standard input.
        expected: what was found and what would be right.
        line: the line, counted from 1, where it is known.

    Example:
        >>> print(FormatError("ring.edges", "found 'x y', expected two router numbers", line=3))
        ring.edges, line 3: found 'x y', expected two router numbers
    """

    exit_code: ClassVar[int] = 4

    def __init__(self, path: object, expected: str, line: int | None = None) -> None:
        self.path = str(path)
        self.expected = expected
        self.line = line
        place = self.path if line is None else f"{self.path}, line {line}"
        super().__init__(f"{place}: {expected}")


class StudyError(TopoctlError):
    """A study file is missing, unreadable, of another version, or damaged."""

    exit_code: ClassVar[int] = 4


class Damaged(StudyError):  # noqa: N818
    """Stored values that cannot be what was written; the study adds its own name and the run's."""


class Contradiction(TopoctlError):  # noqa: N818
    """A measurement is not the score that a search computed, or that the state it began from held."""


def quoted(text: str) -> str:
    r"""A text from outside, as a message shows it: in quotes, on one line, cut where it is long.

    Example:
        >>> print(quoted("0 1\n"))
        '0 1\n'
        >>> print(quoted("x" * 1000))
        'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'
    """
    return repr(text if len(text) <= 60 else f"{text[:57]}...")
