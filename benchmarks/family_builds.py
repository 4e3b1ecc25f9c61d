"""Build and measure large instances: the rows that are too large for the test suite.

Usage: python benchmarks/family_builds.py
"""

import resource
import time

from topoctl.analysis.distances import measure
from topoctl.families import FAMILIES, topology_from_spec

# TCT(n, k) of Bossard 2023, Table 2, and larger instances with a claimed diameter; Slim Flies of SC14.
SPECS = (
    "slimfly(q=128)",
    "delorme(v=7)",
    "bdf(u=31)",
    "tct(n=5,k=6)",
    "tct(n=6,k=4)",
    "tct(n=7,k=4)",
    "tct(n=8,k=4)",
    "tct(n=8,k=5)",
)


def main() -> None:
    """Print one line for every instance."""
    print("spec\torder\tsize\tdiameter\taspl\tbuild_seconds\tmeasure_seconds\tpeak_gib")
    for spec in SPECS:
        start = time.perf_counter()
        topology = topology_from_spec(spec)
        built = time.perf_counter()
        distances = measure(topology.graph, topology.symmetry)
        measured = time.perf_counter()
        claimed = FAMILIES[topology.family].claims(topology.parameters).diameter
        if claimed not in (None, distances.diameter):
            raise SystemExit(f"{spec}: claimed diameter {claimed}, measured {distances.diameter}")
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        print(
            f"{topology.spec}\t{topology.graph.order}\t{topology.graph.size}\t{distances.diameter}\t"
            f"{distances.aspl:.6f}\t{built - start:.2f}\t{measured - built:.2f}\t{peak:.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
