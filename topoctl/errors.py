"""The errors that topoctl raises on purpose: what was wrong, the value, and what would be right."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

LIKENESS = 0.75
"""The likeness of a misspelled word and a suggestion; a lower limit suggests unrelated words."""


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
    """Stored values differ from what was written; the study adds its own name and the name of the run."""


class Contradiction(TopoctlError):  # noqa: N818
    """A measurement differs from the score or the symmetry that a search computed, or that a state held."""


class EngineLost(TopoctlError):  # noqa: N818
    """No task can run any more; the results so far are kept."""


def quoted(text: str) -> str:
    r"""Quote a text from outside for a message: on one line, cut where it is long.

    Example:
        >>> print(quoted("0 1\n"))
        '0 1\n'
        >>> print(quoted("x" * 1000))
        'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'
    """
    return repr(text if len(text) <= 60 else f"{text[:57]}...")


def meant(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that was probably meant; None where no word is like it.

    Example:
        >>> meant("--secnds", ["--seed", "--seconds"]), meant("eval", ["evaluate"]), meant("x", ["plot"])
        ('--seconds', 'evaluate', None)
    """
    from difflib import get_close_matches

    bare = {name.lstrip("-").casefold(): name for name in reversed([*known])}
    wanted = word.lstrip("-").casefold()
    begun = [name for name in bare if wanted and name.startswith(wanted)]
    close = get_close_matches(wanted, bare, n=1, cutoff=LIKENESS) or begun[:1]
    return bare[close[0]] if close else None


def hint(word: str, known: Iterable[str], *, listed: bool = False, lister: str | None = None) -> str:
    """Return the end of a message about an unknown word: the word that was probably meant.

    Args:
        word: unknown.
        known: the known words.
        listed: name all known words where no word is like it.
        lister: the command that lists them, where they are too many: then only the nearest are named.

    Example:
        >>> hint("--secnds", ["--seed", "--seconds"]), hint("x", ["svg", "png"], listed=True)
        ('; did you mean --seconds?', '; expected one of svg, png')
    """
    known = [*known]
    likely = meant(word, known)
    if likely is None and lister:
        from difflib import get_close_matches

        nearest = get_close_matches(word.casefold(), known, n=3, cutoff=0)
        return f"; expected one such as {', '.join(nearest)}: {lister} lists them"
    if likely is None:
        one_of = "one of " if len(known) > 1 else ""
        return f"; expected {one_of}{', '.join(known)}" if listed else ""
    return f"; did you mean {likely}?"
