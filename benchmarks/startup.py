"""Wall time of ``topoctl evaluate`` on 900 routers, beside a Python that only imports numpy and click.

Run ``python benchmarks/startup.py``. Both are started in turns and medians are compared. The bar is a ratio
below 2.8. To see where the time goes: ``python -X importtime -m topoctl evaluate FILE``.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

from random_regular import random_regular

from topoctl.formats import write_topology
from topoctl.formats.record import graph_topology

ROUNDS = 15
BAR = 2.8


def seconds(arguments: list[str]) -> float:
    """Wall time of one Python."""
    started = perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    return perf_counter() - started


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        graph = Path(folder) / "random.edges"
        write_topology(graph_topology(random_regular(900, 6)), graph)
        contestants = {
            "topoctl evaluate": ["-m", "topoctl", "evaluate", str(graph)],
            "topoctl evaluate --json": ["-m", "topoctl", "evaluate", str(graph), "--json"],
            "import numpy, click": ["-c", "import numpy, click"],
        }
        times: dict[str, list[float]] = {name: [] for name in contestants}
        for round_ in range(ROUNDS + 1):
            for name, arguments in contestants.items():
                elapsed = seconds(arguments)
                if round_:  # the first fills the disk cache
                    times[name].append(elapsed)
    bare = median(times["import numpy, click"])
    for name, values in times.items():
        print(f"{name:<26}{median(values):8.3f} s{median(values) / bare:8.2f}x")
    print(f"The bar for topoctl evaluate is {BAR}x.")


if __name__ == "__main__":
    main()
