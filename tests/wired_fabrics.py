"""Plans wired right and wrong in ibsim, as ibnetdiscover finds them: does check find what was exchanged?

``python tests/wired_fabrics.py`` has infiniband-diags discover ten plans with 0, 1, 2, 5 and 20 exchanges of
two ends, and checks each by names, outward from three switches that are known, and by nothing. By names
and outward the work must be the exchanges that were made, but outward it may be less, where another matching
makes the fabric what was planned; by nothing it must not be more.
"""

import argparse
import os
import re
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from commands import call, document
from opensm import SWITCHES, discovered, need, records_of

PLANS = (
    *("slimfly(q=5,p=2)", "dragonfly(p=2,a=4,h=2)", "fattree(k=8)", "torus(dims=4x4x4,p=2)"),
    *("hyperx(dims=6x6,p=3)", "polarfly(q=7,p=3)", "polarstar(q=4,d=4,p=2)", "tct(n=4,k=3,p=2)"),
    *("xpander(d=6,lift=10,p=3)", "dragonflyplus(leaves=4,spines=4,h=2,p=4)"),
)
EXCHANGES = 0, 1, 2, 5, 20
ANCHORS = 3


def switches_of(text):
    """Read the links between switches that ibsim reads: {(switch, port): (switch, port)}, from either end."""
    kinds, cables = records_of(text)
    return {here: there for here, there in cables.items() if kinds[here[0]] == kinds[there[0]] == "Switch"}


def exchanged(links, count, random):
    """Exchange the far ends of pairs of links, so that switches keep at most one link with each other.

    Returns:
        The new links; and for each exchange the two pairs of ends, either of which undoes it.
    """
    links, made = dict(links), []
    while len(made) < count:
        places = [*links]
        (a, p), (c, r) = (places[one] for one in random.choice(len(places), 2, replace=False))
        (b, q), (d, t) = links[a, p], links[c, r]
        pairs = {frozenset((one, other)) for (one, _), (other, _) in links.items()}
        touched = {end for exchange in made for pair in exchange for end in pair}
        ends = {(a, p), (b, q), (c, r), (d, t)}
        new = frozenset((a, d)), frozenset((c, b))
        if len(ends) < 4 or ends & touched or a == d or b == c or new[0] == new[1] or pairs & {*new}:
            continue
        made.append((frozenset({(a, p), (c, r)}), frozenset({(b, q), (d, t)})))
        links |= {(a, p): (d, t), (d, t): (a, p), (c, r): (b, q), (b, q): (c, r)}
    return links, made


def rewired(text, links):
    """What ibsim reads of a fabric with these links between its switches."""

    def wired(found):
        to, port = links[here, int(found[1])]
        return f'[{found[1]}]\t"{to}"[{port}]'

    lines, here = [], ""
    for line in text.splitlines():
        if head := re.match(r'(\w+)\s+\d+ "(.*)"', line):
            here = head[2]
        lines.append(re.sub(r'^\[(\d+)\]\s+"S\d+"\[\d+\]', wired, line) if here.startswith("S") else line)
    return "\n".join(lines) + "\n"


def tried(spec, text, count, random):
    """Check one wiring in the three ways: the ends to move and the seconds of each, or what is wrong."""
    links, made = exchanged(switches_of(text), count, random)
    Path("wired.ibsim").write_text(rewired(text, links))
    Path("found.txt").write_text(discovered("wired.ibsim"))
    numbers = random.choice(len({switch for switch, _ in links}), ANCHORS, replace=False)
    anchors = [word for number in numbers for word in ("--anchor", f"0x{SWITCHES + number:x}=S{number}")]
    told = []
    for way, words in {"names": [], "anchors": anchors, "structure": ["--match", "structure"]}.items():
        began = time.perf_counter()
        found = document("check", spec, "found.txt", *words, code=5 if count else 0)
        seconds = time.perf_counter() - began
        assert found["summary"]["matched_by"] == way
        moved = found["summary"]["moved_ends"]
        if way == "structure" or (way == "anchors" and moved < 2 * count):
            right = moved <= 2 * count  # an automorphism may put the exchanges elsewhere
        else:
            ends = [frozenset(ends_of(row["action"])) for row in found["results"]]
            right = len(ends) == count and all({*exchange} & {*ends} for exchange in made)
        told.append(f"{way} {moved} ({seconds:.1f} s){'' if right else ' WRONG'}")
    return ", ".join(told)


def ends_of(action):
    """The ends that are to be exchanged: (switch, port)."""
    return [(name, int(port)) for name, port in re.findall(r"(S\d+) (?:\(\S+\) )?port (\d+)", action)]


def main():
    """Try all plans, and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("plans", nargs="*", default=PLANS)
    need("ibsim", "ibsim-run", "ibnetdiscover")
    plans, random, wrong = parser.parse_args().plans, np.random.default_rng(1), 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for spec in plans:
            call("export", spec, "-o", "plan.ibsim")
            text = Path("plan.ibsim").read_text()
            for count in EXCHANGES:
                told = tried(spec, text, count, random)
                wrong += "WRONG" in told
                print(f"{spec}, {2 * count} ends exchanged: {told}", flush=True)
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
