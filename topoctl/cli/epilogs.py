"""The end of a command's help, examples and sentences, in lines of a width."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from topoctl.report.messages import wrapped

INDENT, HANGING = "  ", "      "


def epilog_lines(epilog: str, width: int) -> Iterator[str]:
    r"""Lines that fit: sentences are filled, and a long example goes on behind a backslash, for a shell.

    Args:
        epilog: examples are indented, with a comment behind two spaces or more; sentences are not, and one
            that goes on in the next line does not end in a stop.
        width: of the terminal.

    Example:
        >>> said = "See:\n  topoctl bounds --n 20 --k 7 --json   of any\nand\nbelow."
        >>> for line in epilog_lines(said, 31):
        ...     print(line)
        See:
          topoctl bounds --n 20 \
              --k 7 --json
              of any
        and below.
    """
    sentence: list[str] = []
    for line in epilog.splitlines():
        goes_on = bool(sentence) and not sentence[-1].endswith((".", ":"))
        if sentence and not (goes_on and line and not line.startswith(INDENT)):
            yield from wrapped(" ".join(sentence), width)
            sentence = []
        if line.startswith(INDENT):
            yield from example_lines(line, width)
        elif line:
            sentence.append(line)
        else:
            yield ""
    if sentence:
        yield from wrapped(" ".join(sentence), width)


def example_lines(line: str, width: int) -> Iterator[str]:
    """An example with its comment; both in one line where they fit."""
    if len(line) <= width:
        yield line
        return
    command, _, comment = line.strip().partition("  ")
    nearer = f"{INDENT}{command}   {comment.strip()}"
    if comment and len(nearer) <= width:
        yield nearer
        return
    *before, last = filled(re.split(r" (?=[-'])", command), width - len(HANGING) - len(" \\"))
    yield from (f"{INDENT if not number else HANGING}{one} \\" for number, one in enumerate(before))
    yield f"{HANGING if before else INDENT}{last}"
    yield from (HANGING + one for one in wrapped(comment, width - len(HANGING)) if one)


def filled(words: Iterable[str], width: int) -> list[str]:
    """Words joined to lines of a width; a longer one has its own."""
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
