"""Tables as text: CSV with a line for every router and destination, or a paragraph for every router."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.routing.next_hop_table import NextHopTable
from topoctl.topology import Topology

Fields = dict[str, str]


def _line_fields(table: NextHopTable) -> tuple[str, ...]:
    """Return the names of the fields of a line: phases, shares and channels only where they differ."""
    return (
        *("router", "destination"),
        *(("phase",) if table.phases > 1 else ()),
        "next_hops",
        *(("next_phases",) if table.phases > 1 else ()),
        *(("shares",) if table.shares is not None else ()),
        *(("channels",) if table.channels is not None else ()),
    )


def _table_lines(table: NextHopTable) -> Iterator[Fields]:
    """Yield the lines, ascending; lists have spaces between their values."""
    starts = table.starts().tolist()
    lists: dict[str, NDArray[Any]] = {"next_hops": table.next_hops, "next_phases": table.next_phase}
    lists |= {"shares": table.shares} if table.shares is not None else {}
    lists |= {"channels": table.channels} if table.channels is not None else {}
    texts = {
        name: list(map(str, array.tolist())) for name, array in lists.items() if name in _line_fields(table)
    }
    firsts = starts[:-1]
    heads = zip(
        table.routers[firsts].tolist(),
        table.destinations[firsts].tolist(),
        table.phase[firsts].tolist(),
        strict=True,
    )
    for (router, destination, phase), start, stop in zip(heads, firsts, starts[1:], strict=True):
        yield {
            "router": str(router),
            "destination": str(destination),
            "phase": str(phase),
            **{name: " ".join(values[start:stop]) for name, values in texts.items()},
        }


def parse_lines(lines: Iterator[Sequence[str]], names: Sequence[str], order: int) -> NextHopTable:
    """Read the table from lines of these fields."""
    columns: dict[str, list[str]] = {name: [] for name in names}
    for line in lines:
        for name, value in zip(names, line, strict=True):
            columns[name].append(value)
    counts = np.array([text.count(" ") + 1 for text in columns["next_hops"]], dtype=np.int64)

    def entries(name: str, kind: type[np.generic]) -> NDArray[Any]:
        if name not in columns:
            return np.zeros(int(counts.sum()), dtype=kind)
        if name in ("router", "destination", "phase"):
            return np.repeat(np.array(columns[name], dtype=np.int64).astype(kind), counts)
        return np.array(" ".join(columns[name]).split(), dtype=np.float64).astype(kind)

    phase = entries("phase", np.int8)
    return NextHopTable(
        order,
        1 + int(phase.max(initial=0)),
        entries("router", np.int32),
        entries("destination", np.int32),
        phase,
        entries("next_hops", np.int32),
        entries("next_phases", np.int8),
        entries("shares", np.float64) if "shares" in columns else None,
        entries("channels", np.int8) if "channels" in columns else None,
    )


def render_csv(table: NextHopTable, topology: Topology) -> bytes:  # noqa: ARG001 - as every format's
    """Write CSV with a header.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> from topoctl.routing import ROUTINGS
        >>> from topoctl.routing.next_hop_table import next_hop_table
        >>> ring = topology_from_spec("torus(dims=4,p=1)")
        >>> text = render_csv(next_hop_table(ROUTINGS["ecmp"].routes(ring)), ring).decode()
        >>> text.splitlines()[:3]
        ['router,destination,next_hops', '0,1,1', '0,2,1 3']
    """
    names = _line_fields(table)
    rows = [",".join(names), *(",".join(line[name] for name in names) for line in _table_lines(table))]
    return ("\n".join(rows) + "\n").encode()


def parse_csv(data: bytes, topology: Topology) -> NextHopTable:
    """Read such a file."""
    header, *rows = data.decode().splitlines()
    return parse_lines((row.split(",") for row in rows), header.split(","), topology.graph.order)


def render_text(table: NextHopTable, topology: Topology) -> bytes:  # noqa: ARG001 - as every format's
    """Write a paragraph for every router: its number and the names of the columns, then its destinations."""
    names = _line_fields(table)[1:]
    rows: list[str] = []
    current = ""
    for line in _table_lines(table):
        if line["router"] != current:
            current = line["router"]
            rows += (
                ["", f"router {current}: {', '.join(names)}"]
                if rows
                else [f"router {current}: {', '.join(names)}"]
            )
        rows.append("  " + ", ".join(line[name] for name in names))
    return ("\n".join(rows) + "\n").encode()


def parse_text(data: bytes, topology: Topology) -> NextHopTable:
    """Read such a file."""
    names: list[str] = []
    rows: list[list[str]] = []
    router = ""
    for line in data.decode().splitlines():
        if line.startswith("router "):
            router, _, listed = line.removeprefix("router ").partition(": ")
            names = ["router", *listed.split(", ")]
        elif line:
            rows.append([router, *line.strip().split(", ")])
    return parse_lines(iter(rows), names or ["router", "destination", "next_hops"], topology.graph.order)
