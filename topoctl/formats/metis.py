"""METIS graph files: ``n m``, then the neighbours of every router, from 1; ``%`` comments.

A third number in the first line, `fmt`, declares sizes and weights in the rows; they are ignored.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import FormatError
from topoctl.formats.lines import NUMBER, ROW, Numbers, read_numbers, require_links
from topoctl.formats.record import TextFormat, graph_topology
from topoctl.formats.rows import graph_of_rows, looks_like_rows, rows_of
from topoctl.topology import Topology

COMMENTS = r"(?:%[^\n]*+\n)*+"
LINES = re.compile(
    rf"{COMMENTS}(?:[ \t]*+{NUMBER}(?:[ \t]++{NUMBER}){{1,3}}+[ \t]*+\r?+\n(?:%[^\n]*+\n|{ROW})*+)?+"
)
WEIGHTED = re.compile(rf"[ \t]*+({NUMBER})[ \t]++{NUMBER}(?:[ \t]++{NUMBER}){{1,2}}+[ \t]*+\r?+\n")
REMARK = re.compile(r"(?m)(?<=^%)[^\n]+")
FORMS = (0, 1, 10, 11, 100, 101, 110, 111)
"""What `fmt` may be: its digits say whether rows hold sizes, weights of routers, weights of links."""


def parse_metis(path: str, text: str) -> Topology:
    r"""Read a METIS graph file.

    Raises:
        FormatError: not a row for every router, another count of links than declared, or a wrong link.

    Example:
        >>> parse_metis("path.metis", "% a path\n3 2\n2\n1 3\n2\n").graph.links().tolist()
        [[0, 1], [1, 2]]
    """
    wanted = "routers and links, as in '3 2', then a row of neighbours each, from 1"
    numbers = read_numbers(path, text, LINES, wanted, lambda text: REMARK.sub("", text))
    if not len(numbers.values):
        raise FormatError(path, f"no content; expected {wanted}")
    remarks = [place for place, line in enumerate(numbers.text.split("\n"), start=1) if line == "%"]
    top = int(numbers.lines[0])
    header = numbers.values[numbers.lines == top].tolist()
    below = numbers.lines > top
    lines = numbers.lines[below]
    tails = lines - top - np.searchsorted(remarks, lines) + np.searchsorted(remarks, top)
    order, links = header[:2]
    rows = numbers.text.count("\n") - len(remarks) - 1
    if not 1 <= order <= rows:
        raise numbers.fault(
            top,
            f"{order} routers declared, expected 1 or more, and a row for each; found {rows}"
            + ("" if order else "; a list of links belongs in a file named .edges"),
        )
    if len(tails) and tails[-1] > order:
        raise numbers.fault(int(lines[-1]), f"a row too many, expected {order}")
    kept = _neighbours(numbers, header, tails, lines)
    graph = graph_of_rows(
        numbers.fault, order, tails[kept], numbers.values[below][kept], lines[kept], first=1
    )
    require_links(numbers, links, graph.size, top)
    return graph_topology(graph)


def _neighbours(
    numbers: Numbers, header: list[int], rows: NDArray[np.int64], lines: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Which numbers of the rows are neighbours, and no sizes or weights: bool, shape (numbers,)."""
    order, links, *rest = header
    form = rest[0] if rest else 0
    top = int(numbers.lines[0])
    if form not in FORMS:
        raise numbers.fault(top, f"format {form}, expected one of {', '.join(f'{one:03}' for one in FORMS)}")
    declared = {4 * links: "1", 2 * links + order: "10", 4 * links + order: "11"}
    if not rest and len(rows) != 2 * links and len(rows) in declared:
        raise numbers.fault(
            top,
            f"{len(rows)} numbers in the rows, expected {2 * links} for {links} links; "
            f"a third number declares weights, as in '{order} {links} {declared[len(rows)]}'",
        )
    weights = rest[1] if len(rest) > 1 else 1
    ahead = form // 100 + weights * (form // 10 % 10)
    stride = 1 + form % 10
    counts = np.bincount(rows, minlength=order + 1)[1:]
    odd = np.flatnonzero((counts < ahead) | ((counts - ahead) % stride != 0))
    if len(odd):
        row = int(odd[0]) + 1
        line = int(lines[np.searchsorted(rows, row)]) if counts[row - 1] else top
        raise numbers.fault(
            line,
            f"numbers of router {row}: {counts[row - 1]}; format {form:03} expects "
            + ("" if not ahead else f"{ahead} of its own, then ")
            + ("neighbours" if stride == 1 else "a weight behind every neighbour"),
        )
    starts = np.cumsum(counts) - counts
    places = np.arange(len(rows)) - starts[rows - 1] - ahead
    kept: NDArray[np.bool_] = (places >= 0) & (places % stride == 0)
    return kept


def render_metis(topology: Topology) -> str:
    """Write a METIS graph file, without comments."""
    graph = topology.graph
    return f"{graph.order} {graph.size}\n" + "".join(f"{row}\n" for row in rows_of(graph, first=1))


def _looks(text: str) -> bool:
    """Whether rows of neighbours count from 1, or rows that may hold weights are as many as declared."""
    bare = re.sub(r"(?m)^%[^\n]*\n", "", text)
    weighted = WEIGHTED.match(bare)
    if weighted is not None and not text.startswith("%%"):  # those are Matrix Market's
        return 1 <= int(weighted[1]) <= bare.count("\n") <= int(weighted[1]) + 2
    found = looks_like_rows(bare)
    if found is None:
        return False
    order, least, most = found
    return least >= 1 and most <= order


METIS = TextFormat(
    name="metis",
    title="METIS graph",
    remark="`n m`, then a row of neighbours for every router, from 1; what METIS and KaHIP partition. "
    "Weights are ignored.",
    looks=_looks,
    parse=parse_metis,
    render=render_metis,
)
