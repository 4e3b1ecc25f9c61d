"""Fabrics as InfiniBand routes them: forwarding tables in OpenSM's text, service levels, and their circles.

The tests read what topoctl writes. ``python tests/opensm.py SPEC`` has OpenSM load it on ibsim, and reads
what OpenSM says it set: ``--routing spread --layers`` for service levels too, ``--engine nue`` for its own,
``--found`` for a fabric with other GUIDs, which ibnetdiscover finds and ``--guids`` reads.
It fails where OpenSM set something else than topoctl wrote, or a circle belies topoctl's verdict.
"""

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import contextmanager
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

from commands import call, document

SWITCHES, ADAPTERS = 0x200000, 0x100000
"""The GUIDs that ibsim gives to its first records; an adapter has two, its own and its port's."""


IBSIM = ("ibsim", "-s", "-n", "-N", "49152", "-S", "16384", "-P", "1048576")
"""The simulator of fabrics, with room for as many nodes and ports."""


LOG = Path("opensm.log")


class Fabric(NamedTuple):
    """Cables by (GUID of the node, port), from either end, and the GUIDs of the nodes."""

    cables: dict
    switches: set
    adapters: set


def records_of(text):
    """Read what ibsim reads: the kinds of nodes by name, and cables by (name, port), from either end."""
    kinds, cables = {}, {}
    for line in text.splitlines():
        if record := re.match(r'(Switch|Hca)\s+\d+ "(.*)"', line):
            name = record[2]
            kinds[name] = record[1]
        elif port := re.match(r'\[(\d+)\]\s+"(.*)"\[(\d+)\]', line):
            cables[name, int(port[1])] = port[2], int(port[3])
    return kinds, cables


def fabric_of(text):
    """Read the fabric that ibsim reads."""
    kinds, ends = records_of(text)
    guids = guids_of(kinds)
    cables = {(guids[here], port): (guids[there], far) for (here, port), (there, far) in ends.items()}
    return Fabric(
        cables, *({guid for guid in guids.values() if (guid >= SWITCHES) is it} for it in (True, False))
    )


def guids_of(kinds):
    """The GUIDs that ibsim gives to nodes, whose kinds are told in the order of their records."""
    guids, counts = {}, Counter()
    for name, kind in kinds.items():
        guids[name] = SWITCHES + counts[kind] if kind == "Switch" else ADAPTERS + 2 * counts[kind]
        counts[kind] += 1
    return guids


def ibnetdiscover(kinds, cables):
    """What ibnetdiscover prints of the nodes and cables that ibsim has."""
    guids, lines = guids_of(kinds), []
    ids = {name: f'"{"S" if kind == "Switch" else "H"}-{guids[name]:016x}"' for name, kind in kinds.items()}
    for name, kind in kinds.items():
        of_switch, ends = kind == "Switch", sorted(port for here, port in cables if here == name)
        own = f"switchguid=0x{guids[name]:x}({guids[name]:x})" if of_switch else f"caguid=0x{guids[name]:x}"
        about = f'"{name}" base port 0 lid 0 lmc 0' if of_switch else f'"{name}"'
        lines += [
            "",
            "vendid=0x0",
            own,
            f"{'Switch' if of_switch else 'Ca'}\t{len(ends)} {ids[name]}\t# {about}",
        ]
        for port in ends:
            other, far = cables[name, port]
            near_guid = "" if of_switch else f"({guids[name] + port:x}) "
            far_guid = "" if kinds[other] == "Switch" else f"({guids[other] + far:x}) "
            lines.append(f'[{port}]{near_guid}\t{ids[other]}[{far}]{far_guid}\t# "{other}" lid 0 4xSDR')
    return "\n".join(["# Topology file", *lines, ""])


def subnet_lst(kinds, cables):
    """What OpenSM writes of them: every link from both of its ends."""
    guids = guids_of(kinds)

    def end(name, port):
        kind, of_port = ("SW", 0) if kinds[name] == "Switch" else ("CA", port)
        told = (
            f"SystemGUID:{guids[name]:016x} NodeGUID:{guids[name]:016x} PortGUID:{guids[name] + of_port:016x}"
        )
        return f"{{ {kind} Ports:07 {told} VenID:0 DevID:0 Rev:A1 {{{name}}} LID:0001 PN:{port:02X} }}"

    return "".join(f"{end(*near)} {end(*far)} PHY=4x LOG=ACT SPD=2.5\n" for near, far in cables.items())


def tables_of(text):
    """Read the port of every switch towards every port GUID: {(switch, port GUID): port}."""
    found = {}
    for line in text.splitlines():
        if head := re.match(r"Unicast lids .* guid 0x([0-9a-f]+) ", line):
            switch = int(head[1], 16)
        elif entry := re.match(r"0x[0-9a-f]+ (\d+) # .* portguid 0x([0-9a-f]+):", line):
            found[switch, int(entry[2], 16)] = int(entry[1])
    return found


def levels_of(text):
    """Read a QoS policy of rules by destination: the service level of a port GUID, as a function."""
    sections = dict(re.findall(r"^(port-groups|qos-levels|qos-match-rules)$(.*?)^end-\1$", text, re.M | re.S))
    ranges = {}
    for group in sections["port-groups"].split("end-port-group"):
        if name := re.search(r"name: (.*)", group):
            listed = re.findall(r"0x([0-9a-f]+)(?:-0x([0-9a-f]+))?", group)
            ranges[name[1]] = [(int(first, 16), int(last or first, 16)) for first, last in listed]
    levels = dict(re.findall(r"name: (.*)\s+sl: (\d+)", sections["qos-levels"]))
    rules = re.findall(r"destination: (.*)\s+qos-level-name: (.*)", sections["qos-match-rules"])

    def level(guid):
        fits = (name for group, name in rules if any(first <= guid <= last for first, last in ranges[group]))
        return int(levels[next(fits, "DEFAULT")])

    return level


def walked(fabric, tables, lane=lambda _guid: 0):
    """Walk from every switch with adapters to every port GUID: channels after channels, and their loads.

    Returns:
        {channel: channels that its packets wait for}, a channel being (lane, switch, port); and how many
        pairs of adapters use (switch, port).
    """
    hosts = Counter(fabric.cables[adapter, 1][0] for adapter in fabric.adapters)
    waits, loads = {}, Counter()
    for guid in {guid for _, guid in tables}:
        end, level = guid if guid in fabric.switches else guid - 1, lane(guid)
        for start, senders in hosts.items():
            here, before = start, None
            for _ in range(len(fabric.switches) + 1):
                if here == end:
                    break
                port = tables[here, guid]
                waits.setdefault((level, here, port), set())
                if before is not None:
                    waits[before].add((level, here, port))
                if end in fabric.adapters:
                    loads[here, port] += senders
                before, here = (level, here, port), fabric.cables[here, port][0]
            assert here == end, f"no way from {start:x} to {end:x}"
    return waits, loads


def circle_in(waits):
    """Return channels that wait for each other in a circle; None where there are none."""
    try:
        TopologicalSorter(waits).prepare()
    except CycleError as error:
        return error.args[1]
    return None


def throughput_of(fabric, loads):
    """Return the share of their bandwidth at which adapters that send to all alike fill a link."""
    between = [load for cable, load in loads.items() if fabric.cables[cable][0] in fabric.switches]
    return (len(fabric.adapters) - 1) / max(between)


@contextmanager
def running(command, *, after=0, **options):
    """Have a process run while the block does, begun so many seconds later."""
    time.sleep(after)
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def need(*programs):
    """End where some of these are not installed."""
    if missing := [name for name in programs if shutil.which(name) is None]:
        sys.exit(f"not installed: {', '.join(missing)}")


def shuffled(text):
    """The fabric that ibsim reads, its records in another order, and so with other GUIDs."""
    records = re.findall(r"(?:Switch|Hca).*\n(?:\[.*\n)*", text)
    random.Random(1).shuffle(records)
    return "\n".join(records)


def discovered(file):
    """What ibnetdiscover prints of a fabric, from adapter H0."""
    host = os.environ | {"SIM_HOST": "H0"}
    with running([*IBSIM, file]):
        for _ in range(50):
            time.sleep(0.2)
            asked = ["ibsim-run", "ibnetdiscover"]
            answer = subprocess.run(asked, env=host, capture_output=True, text=True, check=False)
            if answer.returncode == 0:
                return answer.stdout
    sys.exit(f"ibnetdiscover: {answer.stderr}")


def run(arguments):
    """Have OpenSM route the fabric, and say what became of it."""
    chosen = ["--vcs", "destination-layers", "--channels", "qos.conf"] if arguments.layers else []
    call("export", arguments.spec, "-o", "fabric.ibsim")
    if arguments.found:
        fabric = Path("fabric.ibsim").read_text()
        Path("fabric.ibsim").write_text(shuffled(fabric))
        Path("found.txt").write_text(discovered("fabric.ibsim"))
        chosen += ["--guids", "found.txt"]
    asked = ("--routing", arguments.routing, "--tables", "tables.lfts", *chosen)
    [row] = document("route", arguments.spec, *asked)["results"]
    asked = [*("-R", arguments.engine), *(("-U", "tables.lfts") if arguments.engine == "file" else ())]
    asked += ["-Q", "-Y", str(Path("qos.conf").absolute())] if arguments.layers else []
    with managed("fabric.ibsim", *asked) as environment:
        print(re.search(r"\w+ tables configured on all switches", LOG.read_text())[0])
        faults = told(fabric_of(Path("fabric.ibsim").read_text()), environment, arguments, row)
    if faults:
        sys.exit("; ".join(faults))


@contextmanager
def managed(fabric, *asked):
    """Have OpenSM route a fabric on ibsim, and leave its dumps here; gives the environment of its host."""
    environment = os.environ | {"SIM_HOST": "H0", "OSM_CACHE_DIR": ".", "OSM_TMP_DIR": "."}
    logged = ["-f", LOG, "--dump_files_dir", ".", "-D", "0x43", "-d2"]
    manage = ["ibsim-run", "opensm", *logged, "-n", "32", *asked]
    LOG.unlink(missing_ok=True)
    with running([*IBSIM, fabric]), running(manage, after=2, env=environment) as manager:
        while not (LOG.exists() and "SUBNET UP" in LOG.read_text()):
            if manager.poll() is not None:
                sys.exit(f"OpenSM ended: {LOG.read_text()[-500:]}")
            time.sleep(0.2)
        yield environment


def told(fabric, environment, arguments, row):
    """Print what OpenSM set, and whether packets can wait for each other in a circle; return the faults.

    Those of topoctl's tables may be for switches too; OpenSM's own engines vouch for adapters alone.
    """
    faults = []
    tables, level = tables_of(Path("opensm-lfts.dump").read_text()), lambda _guid: 0
    ours = tables_of(Path("tables.lfts").read_text())
    same = sum(ours[entry] == port for entry, port in tables.items())
    sizes = f"{len(fabric.switches)} switches, {len(fabric.adapters)} adapters"
    print(f"{sizes}, {len(tables):,} entries, {same:,} as written")
    if arguments.engine == "file" and not len(tables) == len(ours) == same:
        faults.append(f"{len(ours):,} entries were written")
    if arguments.engine != "file":
        tables = {entry: port for entry, port in tables.items() if entry[1] not in fabric.switches}
    if arguments.layers:
        known = re.findall(r"0x(\w+) 0x(\w+)", Path("guid2lid").read_text())
        lids = {int(guid, 16): int(lid, 16) for guid, lid in known}
        answers = {guid: asked_of_opensm(lids[guid], environment) for guid in {guid for _, guid in tables}}
        planned = levels_of(Path("qos.conf").read_text())
        right = sum(planned(guid) == found for guid, found in answers.items())
        print(f"{len(answers):,} paths asked for, {right:,} answered with the planned service level")
        if right < len(answers):
            faults.append("service levels are others than planned")
        level = answers.__getitem__
    waits, loads = walked(fabric, tables, level)
    circle, lanes = circle_in(waits), len({lane for lane, _, _ in waits})
    dependencies = sum(map(len, waits.values()))
    found = "no circle" if circle is None else f"a circle of {len(circle) - 1}"
    print(f"{len(waits):,} channels, lanes: {lanes}, {dependencies:,} dependencies: {found}")
    print(f"throughput {throughput_of(fabric, loads):.3f}")
    if arguments.engine == "file" and row["deadlock_free"] is not (circle is None):
        faults.append(f"topoctl says {'cannot' if row['deadlock_free'] else 'can'} deadlock")
    return faults


def asked_of_opensm(lid, environment):
    """Return the service level that OpenSM answers for the path from the first adapter to a LID."""
    query = ["ibsim-run", "saquery", "-p", "--src-to-dst", f"1:{lid}"]
    asker = environment | {"SIM_HOST": "H1"}
    answer = subprocess.run(query, env=asker, capture_output=True, text=True, check=True)
    return int(re.search(r"^\s*sl\.+(0x\w+)", answer.stdout, re.M)[1], 16)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("spec")
    parser.add_argument("--routing", default="updown-spread")
    parser.add_argument(
        "--engine", default="file", help="OpenSM's own instead: minhop, updn, nue, dfsssp, lash"
    )
    parser.add_argument("--found", action="store_true", help="GUIDs of a fabric as ibnetdiscover finds it")
    parser.add_argument("--layers", action="store_true", help="layers by destination, with a QoS policy")
    need("opensm", "ibsim", "ibsim-run", "ibnetdiscover", "saquery")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        run(given)
