"""Lines for people: on standard error, and in characters that their terminal has."""

from __future__ import annotations

import codecs
import os
import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.console import Console

LEGIBLE = "topoctl.legible"
"""Name of the error handler that writes what an encoding lacks in ASCII."""

EQUIVALENTS = str.maketrans(
    {
        "±": "+-",
        "≥": ">=",
        "≤": "<=",
        "≈": "~",
        "–": "-",
        "—": "-",
        "…": "...",
        "β": "beta",
        "θ": "theta",
        "⁻": "-",
        "²": "2",
    }
    | {"·": "*", "≠": "!=", "×": "x", "─": "-", "━": "=", "│": "|", "•": "*"}
    | dict.fromkeys("╭╮╰╯┌┐└┘├┤┬┴┼", "+")
)
_WORD_OF_NO_END = re.compile(r"(\S{20})\S{460,}(\S{20})")


def say(line: str) -> None:
    """One line on standard error; a reader who closed it is not an error of ours."""
    try:
        print(
            legible(" ".join(line.split()), getattr(sys.stderr, "encoding", None)),
            file=sys.stderr,
            flush=True,
        )
    except OSError:
        silence(sys.stderr)


def with_words_cut(line: str) -> str:
    """A line without words of no end, such as a file's: their middle gives way to an ellipsis.

    Example:
        >>> with_words_cut(f"unknown {'x' * 100_000}z, expected y")
        'unknown xxxxxxxxxxxxxxxxxxxx…xxxxxxxxxxxxxxxxxxz, expected y'
    """
    return _WORD_OF_NO_END.sub(r"\1…\2", line)


def legible(text: str, encoding: str | None) -> str:
    r"""A text as a stream shows it: without control characters, and what its encoding lacks in ASCII.

    Names of files come from outside, and may hold either.

    Example:
        >>> print(legible("D ≥ 3, red\x1b[31m.db", "ascii"))
        D >= 3, red\x1b[31m.db
    """
    shown = text
    if not text.isprintable():
        shown = "".join(character if character.isprintable() else escaped(character) for character in text)
    encoding = encoding or "utf-8"  # a StringIO has none
    return shown.encode(encoding, LEGIBLE).decode(encoding)


def print_line(console: Console, text: str, style: str = "") -> None:
    """One line on a console, as it is: neither wrapped nor read as markup."""
    print_lines(console, [text], style)


def print_lines(console: Console, texts: Sequence[str], style: str = "") -> None:
    """Lines on a console, each as it is."""
    shown = "".join(f"{legible(text, console.encoding)}\n" for text in texts)
    if not style:  # long tables soon
        console.file.write(shown)
        return
    from rich.text import Text

    console.print(Text(shown, style), soft_wrap=True, end="")


def print_sentence(console: Console, text: str) -> None:
    """A sentence on a console, over several lines where it is longer than those are."""
    for line in wrapped(text, console.width):
        print_line(console, line)


def wrapped(text: str, width: int) -> list[str]:
    """A text in lines of a width, at least one; broken at its spaces only, so that no name is.

    Example:
        >>> wrapped("best: N14K6[-1,1,3,9](4), of 12", 12)
        ['best:', 'N14K6[-1,1,3,9](4),', 'of 12']
    """
    from rich.cells import cell_len

    lines: list[str] = []
    for word in text.split():
        if lines and cell_len(lines[-1]) + 1 + cell_len(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines or [""]


def escaped(character: str) -> str:
    """A character as Python writes it; an invalid byte of a file name as that byte."""
    byte = ord(character) - 0xDC00  # os.fsdecode
    return f"\\x{byte:02x}" if 0x80 <= byte <= 0xFF else character.encode("unicode_escape").decode()


def in_ascii(error: UnicodeError) -> tuple[str, int]:
    """What to write instead of the characters that an encoding lacks."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end].translate(EQUIVALENTS)
    return "".join(one if one.isascii() else escaped(one) for one in lacking), error.end


codecs.register_error(LEGIBLE, in_ascii)


def make_legible(*streams: TextIO | None) -> None:
    """Let streams write what their encoding lacks in ASCII, instead of failing."""
    for stream in streams:
        if stream is not None and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=LEGIBLE)


def silence(stream: TextIO) -> None:
    """Point a broken stream at nothing, so that Python's own flush at exit stays quiet."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
    except (OSError, ValueError):
        pass
