"""Measure TCT(n, k) and TCC(n, k) up to an order, one line each: the table of docs/families/tct.md.

Usage: python benchmarks/tct_diameters.py [LARGEST_ORDER]
"""

import sys

from topoctl.analysis.assessment import assess
from topoctl.families import topology_from_spec
from topoctl.families.tct import routing_bound


def measured(spec):
    found = assess(topology_from_spec(spec))
    return found.topology.graph.order, found.distances, found.degree_times_diameter


def main():
    largest = int(sys.argv[1]) if len(sys.argv) > 1 else 10**5
    print("n\tk\torder\tdiameter\taspl\trouting_bound\tcost\ttcc_diameter\ttcc_aspl\ttcc_cost")
    for n in range(2, 21):
        for k in range(2, 16):
            if 2 * n * k**n > largest:
                break
            order, tct, cost = measured(f"tct(n={n},k={k})")
            if k % 2 == 0 and tct.diameter != (n * k if k > 2 else 2 * n + 1):
                raise SystemExit(f"TCT({n},{k}): diameter {tct.diameter} is not the rule's")
            _, tcc, tcc_cost = measured(f"tcc(n={n},k={k})")
            print(
                f"{n}\t{k}\t{order}\t{tct.diameter}\t{tct.aspl:.5f}\t{routing_bound(n, k)}\t{cost:.1f}\t"
                f"{tcc.diameter}\t{tcc.aspl:.5f}\t{tcc_cost:.1f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
