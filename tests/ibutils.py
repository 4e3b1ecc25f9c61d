"""What ibutils, Mellanox's own tools, say of plans that topoctl writes, and of tables that OpenSM loaded.

``python tests/ibutils.py --ibtopodiff PROGRAM`` has ibtopodiff compare the ``.topo`` of each plan with what
OpenSM found on ibsim, wired right and with 1, 2, 5 and 20 exchanges of two ends: it must match exactly where
nothing was exchanged, as ``topoctl check`` says too. And it has ibdmchk look for credit loops in the tables
of two routings as OpenSM set them, which must be there exactly where topoctl says that packets can deadlock.

Debian's ibtopodiff crashes on any fabric; built from its source without optimisation it does not.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from commands import call, document
from opensm import ADAPTERS, managed, need
from wired_fabrics import EXCHANGES, PLANS, exchanged, rewired, switches_of

ROUTINGS = "updown-spread", "spread"


def said(*command):
    """What a program prints of the files in this folder."""
    environment = os.environ | {"IBDM_IBNL_PATH": str(Path("plan").absolute())}
    ended = subprocess.run(command, env=environment, capture_output=True, check=False)
    return (ended.stdout + ended.stderr).decode()


def compared(program, spec, text, random):
    """Compare the plan with fabrics wired right and wrong; return what both tools say, or is wrong."""
    told = []
    for count in EXCHANGES:
        links, _ = exchanged(switches_of(text), count, random)
        Path("wired.ibsim").write_text(rewired(text, links))
        with managed("wired.ibsim"):
            pass
        start = ("-s", "H0/U1", "-p", "1", "-g", f"0x{ADAPTERS + 1:x}")
        found = Path("opensm-subnet.lst")
        found.write_text(found.read_text().replace("{ CA-SM ", "{ CA "))  # which it does not know
        answer = said(program, "-t", "plan/topology.topo", "-d", str(found), *start)
        match = "Fabrics Topologies Match" in answer
        moved = document("check", "plan", str(found), code=5 if count else 0)["summary"]["moved_ends"]
        right = match is (count == 0) and moved == 2 * count
        told.append(f"{2 * count}: {'match' if match else 'differ'}, {moved} ends{'' if right else ' WRONG'}")
    return told


def looped(spec, routing):
    """Have OpenSM load the tables of a routing; return what both tools say of them, or is wrong."""
    [row] = document("route", spec, "--routing", routing, "--tables", "tables.lfts")["results"]
    with managed("plan.ibsim", "-R", "file", "-U", "tables.lfts"):
        pass
    answer = said("ibdmchk", "-s", "opensm-subnet.lst", "-f", "opensm.fdbs", "-m", "opensm.mcfdbs")
    assert "Analyzing Fabric for Credit Loops" in answer, answer
    loops = "Found credit loop" in answer
    right = loops is not row["deadlock_free"]
    return f"{routing}: {'credit loops' if loops else 'no credit loop'}{'' if right else ' WRONG'}"


def main():
    """Try all plans, and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("plans", nargs="*", default=PLANS)
    parser.add_argument("--ibtopodiff", metavar="PROGRAM", help="without it only tables are looked at")
    need("opensm", "ibsim", "ibsim-run", "ibdmchk")
    given, random, wrong = parser.parse_args(), np.random.default_rng(1), 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for spec in given.plans:
            call("export", spec, "-o", "plan.ibsim")
            call("cable", spec, "--for", "topo", "--names", "router=S{n},endpoint=H{n}", "-o", "plan")
            text = Path("plan.ibsim").read_text()
            told = [looped(spec, routing) for routing in ROUTINGS]
            if given.ibtopodiff:
                told += compared(given.ibtopodiff, spec, text, random)
            wrong += any("WRONG" in one for one in told)
            print(f"{spec}: {'; '.join(told)}", flush=True)
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
