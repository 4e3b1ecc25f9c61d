"""What a format declares about itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from topoctl.graph import Graph


@dataclass(frozen=True)
class Format:
    """One interchange format: one file, one record, one registry line.

    Attributes:
        name: for people.
        suffixes: of the files written in it; none where it is only read.
        recognises: whether a text looks like it; the first format in the registry that does reads the text.
        parse: path (for messages) and text to a graph; raises FormatError.
        render: graph to text, where it can be written; raises InvalidParameters where the format
            cannot hold the graph.
    """

    name: str
    suffixes: tuple[str, ...]
    recognises: Callable[[str], bool]
    parse: Callable[[str, str], Graph]
    render: Callable[[Graph], str] | None = None
