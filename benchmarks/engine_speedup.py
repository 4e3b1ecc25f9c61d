"""One group of seeds in this process on one core, on one worker and on two: wall times, and equal documents.

    python benchmarks/engine_speedup.py                 # 8 seeds of about 8 s each; three rounds
    python benchmarks/engine_speedup.py --command "optimize graph --n 900 --k 6 --moves 300000"

The start of a cluster, about a second, is a part of the time. Two workers should be 1.8 times one, and
one worker take at most 1.1 of this process.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from statistics import median
from time import perf_counter
from typing import Any

EQUALITY = "search equality --n 2048 --k 28 --evaluations 60000000"
PLACES = {
    "here": ["--workers", "1"],
    "local:1": ["--cluster", "local:1"],
    "local:2": ["--cluster", "local:2"],
}
TIMES = ("seconds", "run", "group")


def without_times(value: Any) -> Any:
    """A document but for what the clock and the study say."""
    if isinstance(value, dict):
        return {name: without_times(item) for name, item in value.items() if name not in TIMES}
    return [without_times(item) for item in value] if isinstance(value, list) else value


def main() -> None:
    """Run in turns and compare."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--command", default=EQUALITY)
    parser.add_argument("--seeds", default="1..8")
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    command = [sys.executable, "-m", "topoctl", *asked.command.split(), "--seeds", asked.seeds]
    walls: dict[str, list[float]] = {place: [] for place in PLACES}
    documents = []
    for _ in range(asked.rounds):
        for place, options in PLACES.items():
            began = perf_counter()
            line = [*command, *options, "--no-study", "--quiet", "--json"]
            printed = subprocess.run(line, check=True, stdout=subprocess.PIPE).stdout
            walls[place].append(perf_counter() - began)
            documents.append(without_times(json.loads(printed)))
            print(f"{place}: {walls[place][-1]:.1f} s; load {os.getloadavg()[0]:.1f}", flush=True)
    here, one, two = (median(walls[place]) for place in PLACES)
    print(f"local:1 takes {one / here:.2f} of this process; local:2 is {one / two:.2f} times local:1")
    equal = all(document == documents[0] for document in documents)
    print("all documents are equal" if equal else "FAILED: the documents differ")
    sys.exit(not equal)


if __name__ == "__main__":
    main()
