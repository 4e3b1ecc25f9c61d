"""What has failed of a network, as it is asked for: told in a file (``--failed``) or drawn (``--fail``)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from topoctl.analysis.failures import Failures, drawn_failures, faults_in
from topoctl.errors import FormatError, InvalidParameters, quoted
from topoctl.formats.files import read_files
from topoctl.options import whole
from topoctl.topology import Topology

IN_A_PLANE = re.compile(r"\bp[0-9]+-router\b")
"""A router of a network in several planes, as lists of its cables call it."""
REMARK = re.compile(r'("[^"]*")|#.*')
QUOTED = re.compile(r'"([^"]*)"|([^\s,"]+)')
"""A word of a line: between quotation marks, or without spaces and commas."""


def failures_asked(failed: str | None, fail: str | None, topology: Topology, seed: int) -> Failures | None:
    """Return what has failed, as told in a file or drawn; None where nothing is asked for.

    Raises:
        InvalidParameters: more fail than there are, or --fail asks for something else.
        FormatError: the file cannot be read, or names what the network lacks.
    """
    if failed is not None:
        return _read_failures(failed, topology)
    return None if fail is None else drawn_failures(topology.graph, *_counts_asked(fail), seed)


def _read_failures(path: str | Path, topology: Topology) -> Failures:
    """Read what has failed from a file: a line with a router, or with the two routers of a link.

    Routers are told by their numbers or names, and stand apart by spaces, a comma or a hyphen; names with
    spaces by a comma, or in quotation marks. ``#`` begins a remark, but in names.

    Args:
        path: the file, or ``-`` for standard input.
        topology: the network that has failed.

    Raises:
        FormatError: it is missing or malformed, names what the network lacks or a thing twice, or nothing.
    """
    try:
        text = read_files(path)[0].decode()
    except UnicodeDecodeError:
        raise FormatError(path, "not UTF-8: expected lines such as '3 7' and '12'") from None
    graph, names = topology.graph, topology.names.routers or ()
    known = {str(router): router for router in range(graph.order)}
    known |= {name: router for router, name in enumerate(names)}
    links: list[tuple[int, int]] = []
    routers: list[int] = []
    seen: set[tuple[int, ...]] = set()
    for number, line in enumerate(text.splitlines(), 1):
        content = REMARK.sub(r"\1", line).strip()
        named = _routers_in(line.strip(), known) or _routers_in(content, known)
        if not (named or content):
            continue
        if named is None:
            such = f", such as {names[0]}" if names else f" of 0..{graph.order - 1}"
            said = f"found {quoted(content)}, expected a router{such}, or the two of a link"
            if any(" " in name for name in names):
                said += " with a comma between them"
            if IN_A_PLANE.search(content):
                said += "; of several planes each is a network by itself: name what failed in one"
            raise FormatError(path, said, number)
        one = Failures(((named[0], named[1]),), ()) if len(named) == 2 else Failures((), (named[0],))
        for fault in faults_in(one, graph):
            raise FormatError(path, fault, number)
        if tuple(sorted(named)) in seen:
            raise FormatError(path, f"{one} for the second time: expected each failure once", number)
        seen.add(tuple(sorted(named)))
        links += one.links
        routers += one.routers
    if not seen:
        raise FormatError(path, "nothing has failed: expected a line for every link or router that has")
    return Failures(tuple(links), tuple(routers))


def _routers_in(text: str, known: Mapping[str, int]) -> list[int] | None:
    """Return the one or two routers of a line; None where it holds something else.

    Example:
        >>> known = {"leaf-1": 0, "leaf-2": 1}
        >>> [_routers_in(text, known) for text in ("leaf-1", "leaf-1 – leaf-2", "leaf-2-leaf-1", "leaf")]
        [[0], [0, 1], [1, 0], None]
        >>> known = {"leaf 1": 0, "leaf 2": 1}
        >>> [_routers_in(text, known) for text in ("leaf 1", "leaf 1, leaf 2", '"leaf 1" "leaf 2"')]
        [[0], [0, 1], [0, 1]]
    """
    quotes = [one or other for one, other in QUOTED.findall(text)]
    between = [place for place, letter in enumerate(text) if letter in ",-–"]
    splits = ([text], quotes, *([text[:at], text[at + 1 :]] for at in between))
    for words in splits:
        routers = [known.get(word.strip()) for word in words]
        found = [router for router in routers if router is not None]
        if len(found) == len(words) <= 2:
            return found
    return None


def _counts_asked(text: str) -> tuple[int, int]:
    """Return how many links and routers ``links=3,routers=1`` asks for.

    Raises:
        InvalidParameters: it asks for something else, or for nothing.
    """
    expected = "expected links=N, routers=N or both with a comma; to route also each-link or each-router"
    found: dict[str, int] = {}
    for part in text.split(","):
        what, _, number = part.strip().partition("=")
        try:
            count = whole(number)
        except ValueError:
            count = 0
        if what not in ("links", "routers") or what in found or count < 1:
            raise InvalidParameters(f"--fail {quoted(text)}: {expected}")
        found[what] = count
    return found.get("links", 0), found.get("routers", 0)
