"""Processor time of ``topoctl evaluate`` on 900 routers, beside a Python that only imports numpy and click.

Run ``python benchmarks/startup.py``. All are started in turns, and of every round the ratios are taken, which
other work on the machine changes little; their median is told. The bar is a ratio below 2.1. To see where the
time goes: ``python -X importtime -m topoctl evaluate FILE``.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from random_regular import random_regular

from topoctl.formats import write_topology
from topoctl.formats.record import graph_topology

ROUNDS = 15
BAR = 2.1


def seconds(arguments: list[str]) -> float:
    """Processor time of one Python."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        graph = Path(folder) / "random.edges"
        write_topology(graph_topology(random_regular(900, 6)), graph)
        contestants = {
            "topoctl evaluate": ["-m", "topoctl", "evaluate", str(graph)],
            "topoctl evaluate --json": ["-m", "topoctl", "evaluate", str(graph), "--json"],
            "topoctl families": ["-m", "topoctl", "families"],
            "topoctl --help": ["-m", "topoctl", "--help"],
            "import numpy, click": ["-c", "import numpy, click"],
        }
        times: dict[str, list[float]] = {name: [] for name in contestants}
        for _ in range(ROUNDS):
            for name, arguments in contestants.items():
                times[name].append(seconds(arguments))
    bare = times["import numpy, click"]
    for name, values in times.items():
        ratio = median(one / other for one, other in zip(values, bare, strict=True))
        print(f"{name:<26}{median(values):8.3f} s{ratio:8.2f}x")
    print(f"The bar for topoctl evaluate is {BAR}x.")


if __name__ == "__main__":
    main()
