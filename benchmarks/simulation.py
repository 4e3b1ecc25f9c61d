"""Cycle-level simulation: cycles and flit-hops a second, beside BookSim 2 where `--peer` names its program.

Hoffman-Singleton (Slim Fly q 5) has BookSim's default routers, Slim Fly q 9 and E369 those of the papers; all
have minimal routing and uniform traffic. Processor time of the simulation alone is compared, in turns; of
BookSim, that of a run without that of one which only sets up.

    git clone https://github.com/booksim/booksim2 && make -C booksim2/src CPPFLAGS="-O3 -march=native -I. ..."
    python benchmarks/simulation.py --peer booksim2/src/booksim
"""

from __future__ import annotations

import argparse
import re
import resource
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from topoctl.families import topology_from_spec
from topoctl.kernels.simulation import simulator_of
from topoctl.simulation.booksim.configuration import read_configuration
from topoctl.simulation.booksim.experiment import plan_of
from topoctl.topology import Topology

PAPERS = {"internal_speedup": "2.0", "routing_delay": "0", "credit_delay": "2"}
E369 = "N200K24P12[-1,1,11,13,19,35,39,59,97,107,109,115,117,137,155,157,187,193,195](34,66,100)"
FOREVER = 2**62


@dataclass(frozen=True)
class Bench:
    """A point: a network at a load, cycles for each program, and the goal of the ratio."""

    name: str
    spec: str
    rate: float
    channels: int
    buffer: int
    router: dict[str, str]
    peer_cycles: int
    cycles: int
    goal: float


POINTS = (
    Bench("Hoffman-Singleton, half of saturation", "slimfly(q=5,p=4)", 0.28, 4, 8, {}, 2000, 20_000, 60),
    Bench("Hoffman-Singleton, saturation", "slimfly(q=5,p=4)", 0.5, 4, 8, {}, 1000, 10_000, 60),
    Bench("Slim Fly q 9", "slimfly(q=9,p=7)", 0.478, 2, 64, PAPERS, 200, 4000, 75),
    Bench("E369, p 12", E369, 0.17, 2, 64, PAPERS, 120, 2000, 95),
)


def anynet_text(topology: Topology) -> str:
    """Return a network in BookSim's own format: a line for every router."""
    graph, lines, endpoint = topology.graph, [], 0
    for router, count in enumerate(topology.endpoints_per_router.tolist()):
        nodes = "".join(f" node {endpoint + place}" for place in range(count))
        row = graph.neighbors[graph.offsets[router] : graph.offsets[router + 1]].tolist()
        lines.append(f"router {router}{nodes}" + "".join(f" router {other}" for other in row))
        endpoint += count
    return "\n".join(lines) + "\n"


def configuration(folder: Path, bench: Bench, rate: float, cycles: int) -> Path:
    """Write the configuration of a point, which ends after about so many cycles."""
    settings = {
        "topology": "anynet",
        "network_file": str(folder / "network.anynet"),
        "routing_function": "min",
        "traffic": "uniform",
        "num_vcs": bench.channels,
        "vc_buf_size": bench.buffer,
        **bench.router,
        "injection_rate": rate,
        "sim_type": "throughput",
        "sample_period": max(1, cycles // 4),
        "warmup_periods": 1,
        "max_samples": 4,
        "seed": 1,
    }
    path = folder / "point.cfg"
    path.write_text("".join(f"{name} = {value};\n" for name, value in settings.items()))
    return path


def peer_rate(program: str, folder: Path, bench: Bench) -> float:
    """Return the cycles a second that BookSim simulates."""

    def run(rate: float, cycles: int) -> tuple[float, int]:
        path = configuration(folder, bench, rate, cycles)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        said = subprocess.run([program, path], capture_output=True, text=True, check=False).stdout
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return spent, int(re.findall(r"Time taken is (\d+) cycles", said)[-1])

    setup, _ = run(0.0001, 4)
    spent, cycles = run(bench.rate, bench.peer_cycles)
    return cycles / (spent - setup)


def own_rate(folder: Path, bench: Bench) -> tuple[float, float]:
    """Return the cycles, and the flit-hops, a second that we simulate."""
    plan = plan_of(read_configuration(configuration(folder, bench, bench.rate, bench.cycles)))
    simulator = simulator_of(plan)
    simulator.run(bench.cycles // 5, False, FOREVER, False)
    simulator.clear()
    began = time.process_time()
    simulator.run(bench.cycles // 5 + bench.cycles, True, FOREVER, False)
    spent = time.process_time() - began
    return bench.cycles / spent, int(simulator.carried().sum()) / spent


def main() -> None:
    """Measure all points in turns, and print the best of each."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--peer", help="BookSim's program")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    print(f"{'point':40} {'cycles/s':>10} {'M flit-hops/s':>14} {'BookSim cycles/s':>17} {'ratio':>7}  goal")
    for bench in POINTS:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "network.anynet").write_text(anynet_text(topology_from_spec(bench.spec)))
            own, peers = [], []
            for _ in range(arguments.rounds):
                own.append(own_rate(folder, bench))
                if arguments.peer:
                    peers.append(peer_rate(arguments.peer, folder, bench))
        cycles, hops = max(own)
        beside = f"{max(peers):17,.1f} {cycles / max(peers):7.1f}  {bench.goal:g}" if peers else ""
        print(f"{bench.name:40} {cycles:10,.0f} {hops / 1e6:14.2f} {beside}")


if __name__ == "__main__":
    main()
