"""Our simulations of BookSim's configurations, beside the numbers of BookSim itself.

Run ``python benchmarks/booksim_truth.py TRUTH.tsv NETWORKS [ROW...]``: a table of BookSim's results, a row
for each configuration, and the folder of its anynet files. Every configuration is simulated with three seeds,
and with ten or forty where that is not enough to tell. A row agrees where the mean latency is within 1 % or
three standard deviations of BookSim's, accepted flits within 1 %, hops within 0.5 %, or three standard
deviations too; in saturation accepted flits alone, since latencies depend on how long one waits; and both
have to be stable, or neither.
"""

from __future__ import annotations

import argparse
import csv
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import mean, stdev

from topoctl.errors import TopoctlError
from topoctl.simulation.booksim import Results, run_configuration

FILES = {
    "slimfly(q=5,p=4)": "sf5",
    "slimfly(q=7,p=6)": "sf7",
    "slimfly(q=9,p=7)": "sf9",
    "N14K6P3[-1,1,3,9](4)": "eq14",
    "dragonfly(p=2,a=4,h=2)": "df242",
    "hyperx(dims=4x4,p=4)": "hx44",
    "flex(nx=4,ny=4,nz=3,p=4)": "flex443",
    "torus(dims=4x4x4,p=1)": "torus444",
    "jellyfish(n=64,r=6,seed=5,p=2)": "jf64",
    "mesh(dims=2,p=1)": "m2",
    "mesh(dims=2,p=4)": "m2p4",
}
PREFIXES = {"N64K10P4": "eq64", "N200K24P3": "e369p3", "slimfly(q=5,p=2); latency": "sf5lat"}
PLAIN = ("num_vcs", "vc_buf_size", "internal_speedup", "input_speedup", "output_speedup", "routing_delay")
MEANT = {
    "valiant(patched)": "valiant",
    # All that BookSim reads of them:
    "background({0,1,2,3})": "background({0})",
    "{1,5}": "1",
    "{3,1}": "1",
}
SEEDS = (3, 10, 40)


def configuration_of(row: dict[str, str], folder: Path, networks: Path) -> Path:
    words = {
        "topology": row["topology"],
        "routing_function": row["routing"],
        "traffic": row["traffic"],
        "injection_rate": row["injection_rate"],
        "injection_rate_uses_flits": str(int(row["rate_unit"] == "flits")),
        "packet_size": row["packet_size"],
        "credit_delay": row["credit_delay"],
        "sim_type": row["sim_type"],
        **{name: row[name] for name in PLAIN},
    }
    if row["topology"] == "anynet":
        prefixes = (name for start, name in PREFIXES.items() if row["graph"].startswith(start))
        name = f"{FILES.get(row['graph']) or next(prefixes)}.anynet"
        shutil.copy(networks / name, folder)
        words["network_file"] = name
    else:
        words |= dict(word.split("=") for word in row["graph"].split()[1:])
    if row["other_parameters"] != "-":
        words |= dict(word.split("=") for word in row["other_parameters"].split(";"))
    path = folder / f"{row['id']}.cfg"
    path.write_text("".join(f"{key} = {MEANT.get(value, value)};\n" for key, value in words.items()))
    return path


def spread(values: Sequence[float]) -> float:
    return stdev(values) if len(values) > 1 else 0.0


def faults(row: dict[str, str], runs: Sequence[Results]) -> list[str]:
    """What differs, in words."""
    stable = mean(run.converged for run in runs)
    if row["converged"] == "yes" and stable < 0.5:
        return [f"unstable in {1 - stable:.0%} of runs"]
    if row["converged"] == "no" and stable > 0.5:
        return [f"stable in {stable:.0%} of runs"]
    kept = [run for run in runs if run.converged == (row["converged"] == "yes")]
    compared = {"accepted_flits": (0.01, [run.accepted_flits.average for run in kept])}
    if row["sim_type"] == "latency" and row["converged"] == "yes":
        compared["packet_latency"] = (0.01, [run.packet_latency or 0 for run in kept])
        compared["hops"] = (0.005, [run.hops or 0 for run in kept])
    found = []
    for name, (share, ours) in compared.items():
        theirs = float(row[name])
        known = row["packet_latency_sd"] if name == "packet_latency" else "-"
        deviation = max(spread(ours), 0 if known == "-" else float(known))
        if abs(mean(ours) - theirs) > max(share * theirs, 3 * deviation):
            found.append(f"{name} {mean(ours):.6g} +- {spread(ours):.3g}, BookSim {theirs:.6g}")
    return found


def judged(row: dict[str, str], path: Path) -> tuple[str, str]:
    if row["accepted_flits"] == "-":
        return "without numbers", row["note"]
    runs: list[Results] = []
    found: list[str] = []
    for seeds in SEEDS:
        try:
            runs += [run_configuration(path, seed=seed) for seed in range(len(runs) + 1, seeds + 1)]
        except TopoctlError as error:
            return "not simulated", str(error).partition(": ")[2]
        found = faults(row, runs)
        if not found:
            break
    latencies = [run.packet_latency for run in runs if run.packet_latency is not None]
    latency = f"{mean(latencies):.6g}" if latencies else "unknown"
    said = f"{len(runs)} seeds, latency {latency} ({row['packet_latency']})"
    said += f", accepted {mean(run.accepted_flits.average for run in runs):.6g} ({row['accepted_flits']})"
    return "differs" if found else "agrees", "; ".join(found) if found else said


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("truth", type=Path)
    parser.add_argument("networks", type=Path)
    parser.add_argument("rows", nargs="*")
    asked = parser.parse_args()
    counts: Counter[str] = Counter()
    with asked.truth.open() as file, tempfile.TemporaryDirectory() as folder:
        for row in csv.DictReader(file, delimiter="\t"):
            if asked.rows and row["id"] not in asked.rows:
                continue
            verdict, said = judged(row, configuration_of(row, Path(folder), asked.networks))
            counts[verdict] += 1
            what = f"{row['graph'].split(';')[0][:24]} {row['routing']} {row['traffic']} {row['point']}"
            print(row["id"], verdict, what, said, sep="\t", flush=True)
    print(*(f"{verdict} {count}" for verdict, count in counts.items()), sep=", ", file=sys.stderr)


if __name__ == "__main__":
    main()
