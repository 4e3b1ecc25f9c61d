"""Matrix Market files of adjacency matrices, as scipy.io and others read and write them; rows from 1."""

from __future__ import annotations

import re

from topoctl.errors import FormatError
from topoctl.formats.lines import NUMBER, linked_graph, read_numbers, require_order
from topoctl.formats.record import TextFormat, graph_topology
from topoctl.formats.rows import graph_of_rows
from topoctl.topology import Topology

REMARKS = r"(?:%[^\n]*+\n|[ \t]*+\r?+\n)*+"
BANNER = re.compile(
    r"(?i)%%MatrixMarket[ \t]++matrix[ \t]++coordinate[ \t]++(pattern|integer|real)"
    r"[ \t]++(symmetric|general)[ \t]*+\r?+\n"
)
ENTRY = rf"[ \t]*+{NUMBER}[ \t]++{NUMBER}"
SIZE = rf"{ENTRY}[ \t]++{NUMBER}[ \t]*+\r?+\n"
VALUE = r"[ \t]++[-+0-9.eE]{1,40}+"
LINES = {
    field: re.compile(rf"{REMARKS}(?:{SIZE}(?:{REMARKS}{ENTRY}{value}[ \t]*+\r?+\n)*+{REMARKS})?+")
    for field, value in {"pattern": "", "integer": VALUE, "real": VALUE}.items()
}
REMARK = re.compile(r"(?m)^%[^\n]*")
ENTRY_WITH_VALUE = re.compile(r"(?m)^([ \t]*[0-9]+[ \t]+[0-9]+)[ \t]+[^\n]*")
FIRST_LINE = re.compile(r"[0-9][^\n]*\n")
HEAD = 3


def parse_matrix_market(path: str, text: str) -> Topology:
    r"""Read an adjacency matrix; every entry is a link, whatever its value.

    Raises:
        FormatError: no such banner, a matrix that is not square, a malformed entry, another count of entries
            than declared, an entry on the diagonal, or an entry whose mirror is missing (general) or
            repeated (symmetric).

    Example:
        >>> banner = "%%MatrixMarket matrix coordinate pattern symmetric\n"
        >>> parse_matrix_market("path.mtx", banner + "3 3 2\n2 1\n3 2\n").graph.links().tolist()
        [[0, 1], [1, 2]]
    """
    banner = BANNER.match(text)
    if banner is None:
        wanted = (
            "'%%MatrixMarket matrix coordinate', then pattern, integer or real, then symmetric or general"
        )
        raise FormatError(path, f"expected {wanted}", 1)
    field, kind = banner[1].lower(), banner[2].lower()

    def strip(text: str) -> str:
        bare = REMARK.sub("", text)
        start = FIRST_LINE.search(bare)
        if field == "pattern" or start is None:
            return bare
        return bare[: start.end()] + ENTRY_WITH_VALUE.sub(r"\1", bare[start.end() :])

    wanted = "rows, columns and entries, as in '3 3 2', then two numbers from 1 per entry"
    wanted += "" if field == "pattern" else " and a value"
    numbers = read_numbers(path, text, LINES[field], wanted, strip)
    if not len(numbers.values):
        raise FormatError(path, f"no size; expected {wanted}")
    top = int(numbers.lines[0])
    order, columns, entries = numbers.values[:HEAD].tolist()
    pairs, lines = numbers.values[HEAD:].reshape(-1, 2), numbers.lines[HEAD::2]
    if order != columns:
        raise numbers.fault(top, "expected as many rows as columns")
    if entries != len(pairs):
        raise numbers.fault(top, f"{entries} entries declared, expected the {len(pairs)} that follow")
    require_order(numbers, order, len(pairs), top)
    if kind == "general":
        graph = graph_of_rows(numbers.fault, order, pairs[:, 0], pairs[:, 1], lines, first=1)
    else:
        outside = ((pairs < 1) | (pairs > order)).any(axis=1)
        if outside.any():
            raise numbers.fault(int(lines[outside.argmax()]), f"expected rows 1..{order}")
        graph = linked_graph(numbers, pairs - 1, order, lines, declared=True)
    return graph_topology(graph)


def render_matrix_market(topology: Topology) -> str:
    """Write the lower half of the adjacency matrix, as a pattern."""
    graph = topology.graph
    entries = "".join(f"{head} {tail}\n" for tail, head in (graph.links() + 1).tolist())
    size = f"{graph.order} {graph.order} {graph.size}\n"
    return f"%%MatrixMarket matrix coordinate pattern symmetric\n{size}{entries}"


MATRIX_MARKET = TextFormat(
    name="mtx",
    title="Matrix Market",
    remark="The adjacency matrix, its lower half as a pattern; what `scipy.io.mmread` takes. "
    "Values are ignored.",
    looks=lambda text: text.startswith("%%MatrixMarket"),
    parse=parse_matrix_market,
    render=render_matrix_market,
)
