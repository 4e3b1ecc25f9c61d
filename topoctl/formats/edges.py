"""Edge lists: ``u v`` per line, routers from 0; ``#`` comments and networkx's ``u v {}`` are read too."""

from __future__ import annotations

from topoctl.errors import InvalidParameters
from topoctl.formats.lines import NUMBER, line_pattern, linked_graph, read_numbers
from topoctl.formats.record import Format
from topoctl.graph import Graph

LINES = line_pattern(rf"{NUMBER}[ \t]++{NUMBER}(?:[ \t]++\{{\}})?+")


def parse_edges(path: str, text: str, order: int | None = None) -> Graph:
    r"""Read an edge list.

    Args:
        path: for messages.
        text: the whole file.
        order: routers; the largest router + 1 where None.

    Raises:
        FormatError: a line that is no link, a self-loop, a link given twice, a router out of range.

    Example:
        >>> parse_edges("path.edges", "# three routers\n0 1\n1 2 {}\n").size
        2
        >>> parse_edges("pair.edges", "0 1\n1 0\n")
        Traceback (most recent call last):
        topoctl.errors.FormatError: pair.edges, line 2: found '1 0': the same link as on line 1, expected once
    """
    pairs = read_numbers(path, text, LINES, 2, "two router numbers from 0, as in '0 1'")
    largest = int(pairs.max(initial=-1))
    return linked_graph(
        path, text, pairs, largest + 1 if order is None else order, declared=order is not None
    )


def render_edges(graph: Graph) -> str:
    """Write an edge list, each link once, the smaller router first.

    Raises:
        InvalidParameters: the last router has no link, so that no line would name it.

    Example:
        >>> print(render_edges(Graph.from_links(3, [(2, 1), (0, 1)])), end="")
        0 1
        1 2
    """
    if not graph.degrees[-1]:
        raise InvalidParameters(
            f"router {graph.order - 1} has no link: an edge list needs one on the last router"
        )
    return "".join(f"{tail} {head}\n" for tail, head in graph.links().tolist())


EDGES = Format(
    name="edge list",
    suffixes=(".edges", ".edgelist", ".txt"),
    recognises=lambda _: True,
    parse=parse_edges,
    render=render_edges,
)
