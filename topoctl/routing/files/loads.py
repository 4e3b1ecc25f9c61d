"""The loads of links, as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from topoctl.files import replacing
from topoctl.graph import Graph
from topoctl.routing.arcs import arc_tails
from topoctl.topology import Names


def write_loads(
    rows: Sequence[tuple[str, str, NDArray[np.float64]]], graph: Graph, names: Names, path: Path
) -> None:
    """Write a line for every routing, pattern and direction of a link.

    Args:
        rows: names of routing and pattern, and the loads, float64, shape (arcs,).
        graph: whose arcs they are of.
        names: of its routers; numbers, where it has none.
        path: of the file.

    Raises:
        OSError: it cannot be written.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("routing", "traffic", "from", "to", "load"))
    called = names.routers or range(graph.order)
    tails, heads = arc_tails(graph).tolist(), graph.neighbors.tolist()
    for routing, traffic, loads in rows:
        ends = zip(tails, heads, loads.tolist(), strict=True)
        writer.writerows((routing, traffic, called[tail], called[head], load) for tail, head, load in ends)
    with replacing(path) as file:
        file.write(text.getvalue().encode())
