"""Best known graphs of the Graph Golf competitions beside what a search finds; what is better is kept.

    python benchmarks/graph_golf_records.py --seconds 300               # every row of up to 2,000 routers
    python benchmarks/graph_golf_records.py --rows 512,4 1024,4 --seconds 60 --seed 2
    python benchmarks/graph_golf_records.py --command "search cayley" --most 10000 --seconds 600

The table is docs/records/graph-golf.tsv, one row for each order and degree: the best known value and its
source, and the best found so far, by which command in how many seconds, and where that network is: a spec, a
file of docs/records/graph-golf, or none where the file would be too large for a repository.
"""

from __future__ import annotations

import argparse
import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

RECORDS = Path(__file__).parents[1] / "docs" / "records"
TABLE = RECORDS / "graph-golf.tsv"
MOST_LINKS = 25_000
"""Of a network that is kept as a file."""
Row = dict[str, str]


def read() -> list[Row]:
    """The rows of the table."""
    return [*csv.DictReader(TABLE.read_text().splitlines(), delimiter="\t")]


def write(rows: list[Row]) -> None:
    """Replace the table."""
    lines = ["\t".join(rows[0]), *("\t".join(row.values()) for row in rows)]
    TABLE.write_text("\n".join(lines) + "\n")


def searched(row: Row, asked: argparse.Namespace, graph: Path) -> dict[str, Any]:
    """The document of a search for a row."""
    line = [*asked.command.split(), "--n", row["order"], "--k", row["degree"], "--top", "1"]
    limits = ["--seconds", str(asked.seconds), "--seed", str(asked.seed), *asked.more]
    command = [sys.executable, "-m", "topoctl", *line, *limits, "--no-study", "--quiet", "--json"]
    printed = subprocess.run([*command, "--graph", str(graph)], check=True, stdout=subprocess.PIPE).stdout
    found: dict[str, Any] = json.loads(printed)
    return found


def kept(row: Row, document: dict[str, Any], asked: argparse.Namespace, graph: Path) -> None:
    """Put a network into its row, and its links into a file where no spec builds them."""
    best = document["results"][0]
    row |= {"found D": str(best["diameter"]), "found ASPL": f"{best['aspl']:.6f}"}
    options = " ".join(["--seed", str(asked.seed), *asked.more])
    row |= {"by": f"{asked.command} {options}", "seconds": f"{asked.seconds:g}"}
    file = RECORDS / "graph-golf" / f"n{row['order']}-k{row['degree']}.edges"
    file.unlink(missing_ok=True)
    if best["spec"] is not None:
        row["network"] = best["spec"]
    elif best["size"] <= MOST_LINKS:
        file.write_bytes(graph.read_bytes())
        row["network"] = f"graph-golf/{file.name}"
    else:
        row["network"] = ""


def main() -> None:
    """Search for every row that is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--command", default="optimize graph")
    parser.add_argument("--rows", nargs="*", default=[], metavar="N,K")
    parser.add_argument("--most", type=int, default=2000, help="routers, without --rows")
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--more", nargs=argparse.REMAINDER, default=[], help="options of the command")
    asked = parser.parse_args()
    rows = read()
    for row in rows:
        name = f"{row['order']},{row['degree']}"
        if name not in asked.rows if asked.rows else int(row["order"]) > asked.most:
            continue
        with tempfile.TemporaryDirectory() as folder:
            graph = Path(folder) / "best.edges"
            document = searched(row, asked, graph)
            best = document["results"][0]
            before = (int(row["found D"] or 99), float(row["found ASPL"] or 99))
            better = (best["diameter"], round(best["aspl"], 6)) < before
            if better:
                kept(row, document, asked, graph)
                write(rows)
        known = f"best known {row['D']} {row['ASPL']}, kept {before[0]} {before[1]}"
        note = " - kept" if better else ""
        print(f"{name}: {best['diameter']} {best['aspl']:.6f} ({known}){note}", flush=True)


if __name__ == "__main__":
    main()
