"""Search every configuration of the Equality paper's Table 3: published, bound of the family, found, gap.

    python benchmarks/equality_table.py [--seconds 60] [--seed 1] [PRESET ...]

Prints one row per preset as it ends. "beaten after" is the search time until the best network was better than
the published one; "-" where none was, or where the published one is optimal.
"""

from __future__ import annotations

import argparse
import time

from topoctl.kernels.backend import thread_count
from topoctl.papers.presets import Preset, all_presets
from topoctl.search.certify import certify
from topoctl.search.populations.equality import EqualitySearch
from topoctl.search.populations.equality_request import EqualityRequest


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("presets", nargs="*")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    threads = thread_count(None)
    columns = "| preset | N, K | published d, a | bound a | found d, a | gap | beaten after | searched |"
    print(columns, "| --- | --- | --- | --- | --- | --- | --- | --- |", sep="\n")
    for preset in all_presets():
        if arguments.presets and preset.name not in arguments.presets:
            continue
        request = EqualityRequest(
            order=preset.search.order,
            network_radix=preset.search.network_radix,
            seconds=arguments.seconds,
            seed=arguments.seed,
            top=1,
        )
        print(searched_row(request, preset, threads), flush=True)


def searched_row(request: EqualityRequest, preset: Preset, threads: int) -> str:
    mark = (preset.published.diameter, preset.published_aspl)
    began = time.perf_counter()
    search = EqualitySearch.plan(request, threads)
    state = search.first_state()
    beaten = "-"
    while not search.finished(state):
        state = search.step(state, threads)
        best = search.status(state)
        if beaten == "-" and (best.best.diameter, best.best_aspl) < mark:
            beaten = f"{time.perf_counter() - began:.1f} s"
    spent = time.perf_counter() - began
    found = certify(search.leaders(state)[0], threads).distances
    bound = search.status(state).bound_aspl
    return (
        f"| {preset.name.removeprefix('equality/')} | {request.order}, {request.network_radix} "
        f"| {mark[0]}, {mark[1]:.4f} | {bound:.4f} | {found.diameter}, {found.aspl:.4f} "
        f"| {found.aspl - bound:.4f} | {beaten} | {spent:.0f} s |"
    )


if __name__ == "__main__":
    main()
