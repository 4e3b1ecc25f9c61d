"""The largest Equality networks of diameter 2 that structured even hops give, for each network radix.

    python benchmarks/equality_diameter_two.py [--seconds 2] [K ...]

S_B is the whole subgroup of m even residues, n = N/2m apart. Within two hops an odd router is an odd hop and
a step of the subgroup away, so S_A must cover all n residues: N = 2 m n with n <= K - m + 1. All such orders
are tried from the largest down, until one search reaches diameter 2.
"""

from __future__ import annotations

import argparse
import time

from topoctl.analysis.bounds import moore_percent
from topoctl.kernels.backend import thread_count
from topoctl.search.certify import certify
from topoctl.search.populations.equality import EqualitySearch
from topoctl.search.populations.equality_request import EqualityRequest


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("radices", nargs="*", type=int, default=[24, 32, 48, 60])
    parser.add_argument("--seconds", type=float, default=2)
    arguments = parser.parse_args()
    print("| K | N | m | n | Moore % | orders tried | seconds | network |", "|" + " --- |" * 8, sep="\n")
    for radix in arguments.radices:
        print(largest(radix, arguments.seconds), flush=True)


def largest(radix: int, seconds: float) -> str:
    began = time.perf_counter()
    shapes = {
        2 * m * n: (m, n)
        for m in range(2, radix)
        for n in range(2, radix - m + 2)
        if differences_suffice(m, n, radix)
    }
    for tried, order in enumerate(sorted(shapes, reverse=True), 1):
        m, n = shapes[order]
        step = order // m
        request = EqualityRequest(
            order=order,
            network_radix=radix,
            fixed_even=tuple(range(step, order // 2 + 1, step)),
            seconds=seconds,
            top=1,
        )
        search = EqualitySearch.plan(request, thread_count(None))
        state = search.first_state()
        while not search.finished(state) and search.status(state).best.diameter > 2:
            state = search.step(state, thread_count(None))
        best = search.leaders(state)[0]
        if best.diameter == 2:
            certified = certify(best)
            percent = moore_percent(order, radix, certified.distances.diameter)
            spent = time.perf_counter() - began
            return f"| {radix} | {order} | {m} | {n} | {percent:.1f} | {tried} | {spent:.0f} | {best.spec} |"
    return f"| {radix} | none | | | | {len(shapes)} | | |"


def differences_suffice(m: int, n: int, radix: int) -> bool:
    """Whether the differences of S_A can reach the m n even routers, with a little room."""
    odd = radix - (m - 1)
    return odd * (odd - 1) + m >= m * n


if __name__ == "__main__":
    main()
