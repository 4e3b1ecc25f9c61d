"""Hostile input, thousands of cases: damaged files of every format, plans, studies, definitions, options.

A case is a command whose input was made up. It ends by a documented exit code, with one line about what is
wrong, within seconds, on a machine that seems to have 2 GB of memory and in no more than that.

The tests take a small sample. A large one: ``python tests/hostile.py --count 10000 --seed 1``; one case
again: ``python tests/hostile.py --case 1 definition 57``.
"""

import argparse
import collections
import csv
import io
import json
import os
import random
import re
import resource
import shlex
import signal
import sqlite3
import tempfile
import time
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from command_lines import called
from commands import call, ended
from opensm import ibnetdiscover, records_of
from studies import rewrite
from study import damage
from topoctl.cli.exit_codes import DIFFERENT, EXIT_CODES, INTERRUPTED
from topoctl.definitions import folder as presets
from topoctl.families import topology_from_spec
from topoctl.formats import FORMATS
from topoctl.formats.record import graph_topology
from topoctl.layout import Layout
from topoctl.routing import ROUTINGS
from topoctl.routing.files import FORMATS as TABLES
from topoctl.routing.next_hop_table import next_hop_table
from topoctl.wiring.targets import TARGETS

SECONDS, MORE_SECONDS = 20, 10
"""Of the processor, not of the clock: what a case may take, and may then take to end."""
PATIENCE = 2
"""Seconds until work that may have been asked for is interrupted."""
GIGABYTES, ROOM = 2, 6
"""Of memory: what a case may take and the machine seems to have, and what it is stopped at."""
NUMBERS = [
    *("0", "-1", "1", "2", "3", "7", "64", "1000", "65536", "100000", "10000000", "1000000000", "2147483647"),
    *("2147483648", "9223372036854775807", "9" * 30, "9" * 5000, "0.5", "1e-9", "1e9", "1e400"),
    *("nan", "-inf"),
]
WORDS = [
    *("", " ", "-", "--", ".", "/", "..", "1..", "..1000000000", "5..3", "1..1000000000", "a", "all", "none"),
    *("auto", "1,2,3", "1,,2", "0.6x2.1", "1x1", "99999x99999", "7m", "0m", "1e9m", "x" * 5000),
    *("\x1b[31mred", "é", "\udcff", "a\nb", "missing.toml", "torus(dims=4x4)", "torus(dims=", "(" * 900),
    *("[" * 5000, "'", '"'),
]
BASES = [
    "evaluate 'torus(dims=4x4,p=2)' --measures distances",
    "evaluate 'slimfly(q=5,p=2)' --measures all --trials 6 --partitions 2",
    "evaluate 'dragonfly(p=2,a=4,h=2)' --measures cost,power,latency",
    "enumerate all --balanced --endpoints 90..110 --router-radix ..12",
    "enumerate torus hyperx --order ..64 --diameter ..3",
    "bounds --n 64 --k 4",
    "bounds grid --width 6 --height 6 --k 4 --l 3",
    "search equality --n 24 --k 5 --evaluations 300 --no-study",
    "search cayley --n 24 --k 5 --evaluations 300 --no-study",
    "optimize grid --width 5 --height 4 --k 3 --l 3 --moves 200 --no-study",
    "optimize graph --n 20 --k 3 --moves 200 --no-study",
    "optimize hosts --hosts 20 --router-radix 5 --moves 200 --no-study",
    "grow 'torus(dims=4x4,p=1)' --routers 3 --recable 4 --moves 50 --no-study -o plan.csv",
    "design torus --endpoints 30 --router-radix 8 --evaluations 30 --no-study",
    "route 'torus(dims=4x4,p=2)' --traffic tornado",
    "route 'dragonfly(p=2,a=4,h=2)' --vcs 4",
    "simulate 'torus(dims=4x4,p=1)' --load 0.1,0.2 --cycles 1000",
    "simulate 'torus(dims=4x4,p=1)' --work 'stencil(dims=2x3)+all-gather,broadcast' --bytes 1KiB --ranks 6",
    "route 'torus(dims=4x4,p=2)' --routing updown-spread --fail links=2 --repair least,anew",
    "cable 'torus(dims=4x4,p=2)' -o cables.csv",
    "cable 'torus(dims=4x4,p=2)' --for ptm --names 'sw{n:02},port=swp{n}' -o plan.dot",
    "plot 'torus(dims=4x4)' -o torus.svg",
    "export 'torus(dims=4x4,p=2)' -o torus.edges",
    "sweep bounds --n 64 --vary k=3..5",
    "sweep optimize graph --n 20 --vary k=3,4 --moves 100 --no-study",
    "presets list",
    "presets compare slimfly_table3",
    "families torus",
    "glossary diameter",
]
LONG = {"--help", "--version", "--cluster", "--install-completion"}
"""Options that a case leaves alone."""
CALLED = (
    'router = "sw{n:02}-{x1}"\nendpoint = "{router_name}-{index}"\nport = "Ethernet{4(n-1)}"\nsite = "here"\n'
)
SOLD = (
    "gigabits_per_second = 100\n[[sold]]\nports = 48\ndollars = 20000\nwatts = 300\n[[sold]]\nports = 16\n"
    'dollars = 6000\nwatts = 90.5\n[[cables]]\nmedium = "electrical"\ndollars_per_gigabit = 1\n'
    "dollars_per_gigabit_metre = 0\n"
)
SWEEP = 'command = "bounds"\nvary.k = "3..5"\noptions.n = 64\ntable = {rows = "k", value = "aspl"}\n'


@dataclass
class Case:
    """A command and what its files hold.

    Attributes:
        arguments: of topoctl.
        files: by name.
        patient: whether it may be asked for so much work that it is interrupted.
    """

    arguments: list[str]
    files: dict[str, bytes] = field(default_factory=dict)
    patient: bool = False


def network_file(draw):
    """A damaged file of any format, read by any command."""
    name = draw.choice([name for name in FORMATS if FORMATS[name].is_read])
    kind = FORMATS[name]
    files = draw.choice(good_files(name))
    if name == "npz" and draw.random() < 0.7:
        files = (changed_npz(files[0], draw),)
    else:
        files = tuple(damaged(data, draw) if draw.random() < 0.8 else data for data in files)
    suffixes = kind.parts or [draw.choice([*kind.suffixes, *kind.suffixes, ".edges", ".x"])]
    named = {f"net{suffix}": data for suffix, data in zip(suffixes, files, strict=True)}
    path = f"net{suffixes[0]}"
    return Case([*shlex.split(draw.choice(READERS).format(path)), "--quiet"], named)


READERS = [
    *["evaluate {}"] * 4,
    *(f"export {{}} -o out{suffix}" for suffix in (".edges", ".npz", ".graphml", ".anynet", ".metis")),
    "evaluate {} --measures all --trials 6 --partitions 2",
    "route {} --routing ecmp --traffic permutation",
    "cable {} -o cables.csv",
    "plot {} -o net.svg",
    "optimize graph --start {} --moves 20 --no-study",
    "optimize hosts --start {} --moves 20 --no-study",
    "grow {} --routers 2 --recable 4 --moves 20 --no-afresh --no-study",
]


@cache
def good_files(name):
    """Networks in a format, as good as they are written."""
    ring = topology_from_spec("torus(dims=3x4,p=1)")
    grid = graph_topology(topology_from_spec("mesh(dims=3x4)").graph, Layout("grid", 4, 3), 4)
    whole = [ring, grid, topology_from_spec("dragonfly(p=1,a=2,h=1)"), topology_from_spec("slimfly(q=5,p=1)")]
    found = []
    for topology in whole:
        with suppress(ValueError):  # a format of groups, or of networks with endpoints
            found.append(FORMATS[name].write(topology))
    return found


def changed_npz(data, draw):
    """An npz with other arrays in it."""
    with np.load(io.BytesIO(data)) as archive:
        arrays = {name: archive[name] for name in archive}
    name = draw.choice([*arrays])
    match draw.randrange(3):
        case 0 if arrays[name].ndim:
            arrays[name] = damage.changed_array(arrays[name], draw)
        case 1:
            arrays[name] = np.zeros(draw.choice([0, 3, 10**6, 10**7]), draw.choice(["i1", "<i4", "f8", "U3"]))
        case _:
            del arrays[name]
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def damaged(data, draw):
    """Bytes with something wrong in them."""
    lines = data.splitlines(keepends=True)
    start, end = sorted(draw.choices(range(len(data) + 1), k=2))
    match draw.randrange(10):
        case 0:
            return damage.flipped(data, draw, draw.choice([1, 3, 30]))
        case 1:
            return data[:start]
        case 2:
            return data[:start] + data[start:end] * draw.choice([2, 50, 3000]) + data[end:]
        case 3:
            return b"".join(draw.sample(lines, len(lines)))
        case 4 if lines:
            return b"".join([*lines, draw.choice(lines)])
        case 5:
            return data[:start] + draw.choice(WORDS).encode(errors="surrogateescape") + data[start:]
        case 6:
            return data[:start] + data[end:]
    numbers = [*re.finditer(rb"[0-9]+", data)]
    if not numbers:
        return draw.randbytes(draw.choice([0, 1, 30, 3000]))
    for found in sorted(
        draw.sample(numbers, min(len(numbers), draw.choice([1, 1, 2]))), key=lambda one: -one.start()
    ):
        data = data[: found.start()] + draw.choice(NUMBERS).encode() + data[found.end() :]
    return data


def definition(draw):
    """A damaged TOML file: of a sweep, of prices, of a floor."""
    command, text = draw.choice(
        [
            ("sweep wrong.toml --no-study", SWEEP.encode()),
            ("evaluate torus(dims=4x4,p=1) --measures cost --prices wrong.toml", preset(draw, "prices")),
            ("evaluate torus(dims=4x4,p=1) --measures cost,power --prices wrong.toml", SOLD.encode()),
            (f"{DESIGN} --prices wrong.toml", draw.choice([preset(draw, "prices"), SOLD.encode()])),
            ("cable torus(dims=4x4,p=1) -o cables.csv --floor wrong.toml", preset(draw, "floors")),
            (draw.choice(NAMED), CALLED.encode()),
        ]
    )
    if draw.random() < 0.2:
        key = draw.choice(["a.", "'a'.", '"a" . ', "[[a]]\n[", "a = {a = ", "a = [", "a.b = 1\n", "["])
        return Case(
            [*command.split(), "--quiet"], {"wrong.toml": text + key.encode() * draw.choice([9, 999, 99999])}
        )
    return Case([*command.split(), "--quiet"], {"wrong.toml": damaged(text, draw)})


DESIGN = "design torus --endpoints 30 --router-radix 8 --throughput 0.1 --evaluations 1 --no-study"
NAMED = [
    "cable torus(dims=4x4,p=1) -o cables.csv --names wrong.toml",
    "route torus(dims=4x4,p=1) --routing updown-spread --tables t.lfts --names wrong.toml",
    *(
        f"cable torus(dims=4x4,p=1) --for {target.name} -o plan{(*target.suffixes, '')[0]} --names wrong.toml"
        for target in TARGETS.values()
    ),
]


def preset(draw, kind):
    files = sorted((presets() / kind).iterdir(), key=lambda file: file.name)
    return draw.choice([file for file in files if file.name.endswith(".toml")]).read_bytes()


def wired(draw):
    """A plan of cables and what was found of it, each in some form, one of them damaged; or GUIDs of one."""
    forms = [draw.choice([*good_wirings()]) for _ in range(2)]
    names = [f"{kind}-{form}" for kind, form in zip(("plan", "found"), forms, strict=True)]
    files = {
        f"{name}{inner}": data
        for name, form in zip(names, forms, strict=True)
        for inner, data in good_wirings()[form].items()
    }
    if draw.random() < 0.3:
        files = {name: data for name, data in files.items() if name.startswith("found")}
        names[0] = CHECKED
    wrong = draw.choice([*files])
    if wrong.endswith(".json") and draw.random() < 0.7:
        told = damage.changed(json.loads(files[wrong]), draw)
        files[wrong] = damage.as_text(told).encode(errors="surrogatepass")
    else:
        files[wrong] = damaged(files[wrong], draw)
    if len(names) == 2 and names[0] == CHECKED and draw.random() < 0.5:
        asked = ["route", CHECKED, "--routing", "updown-spread", "--tables", "t.lfts"]
        return Case([*asked, "--guids", names[1], "--quiet"], files)
    shown = draw.choice([[], ["--json"], ["-o", "work.csv"]])
    return Case(["check", *names, *shown, "--quiet"], files)


CHECKED = "torus(dims=3x3,p=1)"


@cache
def good_wirings():
    """Cables as they are told: the files of a folder, or one file, by the name of either."""
    called = ("--names", "S{n},endpoint=H{n},port={n},endpoint_port={n}")
    with tempfile.TemporaryDirectory() as folder:
        there = Path(folder)
        call("cable", CHECKED, "--endpoints", *called, "-o", there / "cables.csv", "-q")
        call("export", CHECKED, "-o", there / "fabric.ibsim", "-q")
        for name in ("topo", "ptm", "p2p", "p2p-ib", "netbox"):
            place = there / f"{name}{(*TARGETS[name].suffixes, '')[0]}"
            named = ("--names", "S{n},endpoint=H{n}") if name == "topo" else called  # its ports are P1, P2, …
            call("cable", CHECKED, "--for", name, *named, "-o", place, "-q")
        for name in ("found.edges", "found.npz", "found.graphml"):
            call("export", CHECKED, "-o", there / name, "-q")
        told = (there / "cables.csv").read_text()
        fabric = records_of((there / "fabric.ibsim").read_text())
        (there / "discovered.txt").write_text(ibnetdiscover(*fabric))
        (there / "opensm-subnet.lst").write_bytes(_subnet(told))
        (there / "lldp.csv").write_bytes(_listed(told))
        return {"neighbours": _neighbours(told)} | {
            place.name: {f"/{one.name}": one.read_bytes() for one in place.iterdir()}
            if place.is_dir()
            else {"": place.read_bytes()}
            for place in sorted(there.iterdir())
        }


def _subnet(cables):
    """The same as OpenSM writes it, from both ends of every cable."""

    def end(name, port):
        kind, guid = "SW" if name.startswith("S") else "CA", name.encode().hex().zfill(16)
        guids = f"SystemGUID:{guid} NodeGUID:{guid} PortGUID:{guid}"
        rest = f"VenID:000000 DevID:0000 Rev:000000A1 {{{name}}} LID:0001 PN:{int(port):02X}"
        return f"{{ {kind} Ports:08 {guids} {rest} }}"

    return "".join(
        f"{end(*one)} {end(*other)} PHY=4x LOG=ACT SPD=25\n"
        for row in csv.DictReader(io.StringIO(cables))
        for ends in [((row["from"], row["from_port"]), (row["to"], row["to_port"]))]
        for one, other in (ends, ends[::-1])
    ).encode()


def _listed(cables):
    """What switches hear from each other, as a list."""
    heard = {name: json.loads(data) for name, data in _neighbours(cables).items()}
    rows = [
        f"{name[1:-5]},{one['name']},{one['chassis'][0]['name'][0]['value']},{one['port'][0]['id'][0]['value']}"
        for name, told in heard.items()
        for one in told["lldp"][0]["interface"]
    ]
    return "\n".join(["local,local_port,neighbor,neighbor_port", *rows]).encode()


def _neighbours(cables):
    """What switches hear from each other, as ``lldpctl -f json0`` prints it: a file for each."""
    heard = collections.defaultdict(list)
    for row in csv.DictReader(io.StringIO(cables)):
        ends = (row["from"], row["from_port"]), (row["to"], row["to_port"])
        for (name, port), (other, far) in (ends, ends[::-1]):
            chassis, its = [{"name": [{"value": other}]}], [{"id": [{"type": "ifname", "value": far}]}]
            heard[name].append({"name": port, "chassis": chassis, "port": its})
    return {
        f"/{name}.json": json.dumps({"lldp": [{"interface": interfaces}]}).encode()
        for name, interfaces in heard.items()
        if name.startswith("S")
    }


def traffic(draw):
    """A damaged matrix of traffic."""
    matrix = np.ones((16, 16)) - np.eye(16)
    if draw.random() < 0.5:
        data = "\n".join(",".join(f"{one:g}" for one in row) for row in matrix).encode()
        name = "demands.csv"
    else:
        file, name = io.BytesIO(), "demands.npy"
        np.save(file, damage.changed_array(matrix, draw) if draw.random() < 0.5 else matrix)
        data = file.getvalue()
    return Case(["route", "torus(dims=4x4,p=1)", "--traffic", name, "--quiet"], {name: damaged(data, draw)})


def failures(draw):
    """A damaged list of what has failed."""
    data = b"0 1  # a cable\n5,6\n12\n9-13\n" * draw.choice([1, 1, 50])
    words = ["route", "torus(dims=4x4,p=1)", "--vcs", "none", "--failed", "dead.txt", "--quiet"]
    return Case(words, {"dead.txt": damaged(data, draw)})


def tables(draw):
    """Damaged tables of a routing, or a damaged list of packets."""
    if draw.random() < 0.3:
        sent = b"source\tctime\tdestination\tflits\n" + b"".join(
            b"%d\t%d\t3\t2\n" % (n, 3 * n) for n in range(9)
        )
        words = ["simulate", "torus(dims=4x4,p=1)", "--replay", "sent.tsv", "--no-study", "--quiet"]
        return Case(words, {"sent.tsv": damaged(sent, draw)}, patient=True)
    suffix = draw.choice([*TABLES])
    words = draw.choice(["route", "simulate --load 0.2 --cycles 1000 --no-study"]).split()
    words[1:1] = ["torus(dims=4x3,p=1)", "--routing", f"next{suffix}", "--quiet"]
    return Case(words, {f"next{suffix}": damaged(good_tables(suffix), draw)})


@cache
def good_tables(suffix):
    """Tables in a file of this suffix."""
    ring = topology_from_spec("torus(dims=4x3,p=1)")
    routing = ROUTINGS["updown-spread" if suffix == ".lfts" else "dor"]
    return TABLES[suffix].render(next_hop_table(routing.routes(ring)), ring)


def work(draw):
    """A damaged GOAL file, or matrix of connections."""
    name = draw.choice(["work.goal", "work.cm"])
    command = f"simulate torus(dims=4x4,p=1) --work {name} --quiet --clock 0.01"
    return Case(command.split(), {name: damaged(good_work(name), draw)}, patient=True)


@cache
def good_work(name):
    """Work in a file of this name."""
    if name.endswith(".cm"):
        flows = [f"{n}->{n + 1} id {n} start {n}00 size 200 recv_done_trigger 1" for n in range(1, 5)]
        flows.append("0->1 id 9 trigger 1 size 64 send_done_trigger 2")
        triggers = ["trigger id 1 barrier count 4", "trigger id 2 oneshot"]
        lines = ["Nodes 8", f"Connections {len(flows)}", "Triggers 2", "# a comment", *flows, *triggers]
    else:
        lines = ["num_ranks 4", "// a comment"]
        for rank in range(4):
            lines += [f"rank {rank} {{", f"a: send 200b to {(rank + 1) % 4} tag {rank} cpu 0 nic 0"]
            lines += [
                f"b: recv 200b from {(rank - 1) % 4} tag {(rank - 1) % 4}",
                "/* and",
                "another */",
                "c: calc 300 cpu 1",
            ]
            lines += ["c requires b", "d: recv 8b from -1 tag 7", f"e: send 8b to {rank ^ 1} tag 7"]
            lines += ["e requires c", "d irequires a", "}"]
    return "\n".join(lines).encode()


def configuration(draw):
    """A damaged configuration of BookSim, or a damaged file that it names."""
    files = draw.choice(CONFIGURATIONS)
    named = {f"net{suffix}": data.encode() for suffix, data in files.items()}
    wrong = draw.choice([*named, "net.cfg"])
    named[wrong] = damaged(named[wrong], draw)
    replay = ["--replay", "net.tsv"] if "net.tsv" in named else []
    return Case(["simulate", "net.cfg", *replay, "--quiet"], named, patient=True)


SHORT = "sample_period = 100; warmup_periods = 1; max_samples = 2; traffic = uniform; injection_rate = 0.2;\n"
CONFIGURATIONS = [
    {
        ".cfg": f"topology = anynet; network_file = net.txt;\nrouting_function = min;\nnum_vcs = 2;\n{SHORT}",
        ".txt": "router 0 node 0 router 1 3 router 2\nrouter 1 node 1 router 2\nrouter 2 node 2 node 3\n",
        ".tsv": "source\tctime\tdestination\tflits\n0\t3\t2\t1\n1\t5\t0\t2\n3\t40\t1\t1\n",
    },
    *(
        {".cfg": f"// a comment\ntopology = {keys}\n{SHORT}"}
        for keys in (
            "mesh; k = 3; n = 2; routing_function = xy_yx; num_vcs = 4; // channels",
            "torus; k = 3; n = 2; routing_function = dim_order; internal_speedup = 1.5;",
            "flatfly; k = 2; n = 2; c = 4; x = 2; y = 2; xr = 2; yr = 2; routing_function = ran_min;",
            "dragonflynew; k = 1; n = 1; routing_function = min; num_vcs = 3; packet_size = {{1,4}};",
            "fattree; k = 2; n = 2; routing_function = nca; num_vcs = 2;",
        )
    ),
]


def document(draw):
    """A document whose run is to be repeated, with something else in it."""
    told = good_document()
    for _ in range(draw.choice([1, 1, 3])):
        told = damage.changed(told, draw)
    data = damage.as_text(told).encode(errors="surrogatepass")
    data = damaged(data, draw) if draw.random() < 0.3 else data
    return Case(["runs", "repeat", "found.json", "--quiet", "--no-study"], {"found.json": data}, patient=True)


@cache
def good_document():
    arguments = draw_of("good").choice(damage.SEARCHES[:1] + damage.SEARCHES[2:4])
    return json.loads(call(*arguments, "--json", "--quiet", "--no-study").stdout)


def stored(draw):
    """A study in which a value was made up, with or without the digests that go with it."""
    Path("topoctl.db").write_bytes(good_study())
    table = draw.choice(["runs", "runs", "checkpoints", "networks"])
    with closing(sqlite3.connect("topoctl.db")) as connection:
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        column = draw.choice(
            columns if table == "runs" else ["state" if table == "checkpoints" else "network"]
        )
        rows = connection.execute(f"SELECT rowid, {column} FROM {table}").fetchall()
    row, value = draw.choice(rows)
    value = made_up(table, value, draw)
    change = f"UPDATE {table} SET {column} = ? WHERE rowid = ?"
    with suppress(sqlite3.Error):  # a number that it cannot hold, a run that there is
        if draw.random() < 0.9:
            rewrite("topoctl.db", (change, value, row))
        else:
            with closing(sqlite3.connect("topoctl.db")) as connection, connection:
                connection.execute(change, (value, row))
    number = draw.randrange(1, 3 * len(damage.SEARCHES) + 1)
    line = draw.choice(OF_RUNS).format(number)
    return Case([*line.split(), "--quiet"], patient=True)


OF_RUNS = [
    *("runs list", "runs show {}", "runs show {}", "runs resume {}", "runs repeat {} --no-study"),
    *("runs delete {}", "runs compare {} 1", "export --run {} --rank all -o run.edges"),
    *("evaluate --run {} --rank all", "plot --run {} -o run.svg", "cable --run {} -o cables.csv"),
    *("route --run {}", "runs export -o runs.jsonl"),
]


def made_up(table, value, draw):
    """Another value for a column of a study."""
    if draw.random() < 0.3:
        return damage.accident(value, draw)
    if table == "checkpoints":
        return damage.crafted_state(value, draw)
    if table == "networks":
        line, _, packed = value.partition(b"\n")
        return damage.as_text(damage.changed(json.loads(line), draw)).encode() + b"\n" + packed
    if isinstance(value, str) and value.startswith(("{", "[")):
        return damage.as_text(damage.changed(json.loads(value), draw))
    return draw.choice([None, 0, -1, 2**62, 1e300, "x", "", b"\xff", "\x1b[31m", "running", "finished"])


@cache
def good_study():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "topoctl.db"
        damage.make_study(path, call)
        return path.read_bytes()


def options(draw):
    """A command whose options have other values, and options that it did not have."""
    words = shlex.split(draw.choice(BASES))
    command, _ = called(shlex.join(["topoctl", *words]))
    known = [one for one in command.params if one.opts[0].startswith("-") and not LONG & {*one.opts}]
    for _ in range(draw.choice([1, 1, 2])):
        place, option = draw.randrange(1, len(words)), draw.choice(known)
        match draw.randrange(8):
            case 0:
                text = words[place].encode(errors="replace")
                words[place] = damaged(text, draw)[:5000].decode(errors="replace")
            case 1 | 2:
                words[place] = re.sub("[0-9]+", lambda _: draw.choice(LARGE), words[place], count=1)
            case 3:
                words += [option.opts[0], draw.choice([*WORDS, *NUMBERS])]
            case _ if option.is_flag:
                words.append(option.opts[0])
            case _:
                words += [option.opts[0], draw.choice(getattr(option.type, "choices", LARGE))]
    return Case([word.replace("\0", "") for word in words], patient=True)


LARGE = [
    *("0", "1", "2", "3", "5", "8", "64", "1000", "65536", "1000000", "50000000", "1000000000", "0.001"),
    "3e9",
]
KINDS = {
    "network file": (network_file, 29),
    "definition": (definition, 14),
    "wired": (wired, 6),
    "traffic": (traffic, 6),
    "failures": (failures, 4),
    "work": (work, 8),
    "tables": (tables, 6),
    "configuration": (configuration, 7),
    "document": (document, 5),
    "stored": (stored, 8),
    "options": (options, 7),
}
"""What makes a case of a kind, and how many of a hundred are of it."""


class Late(BaseException):
    """A case takes too long."""


def draw_of(*words):
    return random.Random(" ".join(map(str, words)))


def made(kind, seed, number):
    """A case of a kind, in this folder."""
    case = KINDS[kind][0](draw_of(seed, kind, number))
    for name, data in case.files.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_bytes(data)
    return case


def ending_of(case):
    """The exit code of a case, and what is wrong with its end; None where nothing is."""
    presses = [KeyboardInterrupt, Late] if case.patient else [Late]

    def press(*_):
        signal.setitimer(signal.ITIMER_PROF, MORE_SECONDS)
        raise presses.pop(0) if presses else Late

    signal.signal(signal.SIGPROF, press)
    forget_peak()
    signal.setitimer(signal.ITIMER_PROF, PATIENCE if case.patient else SECONDS)
    try:
        result = ended(*case.arguments)
    except Late:
        return None, "takes too long"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return result.exit_code, _fault_in(case, result)


def _fault_in(case, result):
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        return f"traceback: {result.exception!r}"
    if result.exit_code not in EXIT_CODES or (result.exit_code == INTERRUPTED and not case.patient):
        return f"exit code {result.exit_code}"
    if peak() > GIGABYTES * 2**30:
        return f"{peak() / 2**30:.1f} GB"
    lines = result.stderr.splitlines()
    wrong = [line for line in lines if line.startswith("error: ")]
    if result.exit_code not in (0, DIFFERENT, INTERRUPTED) and (
        wrong != lines[-1:] or not wrong[0].isprintable()
    ):
        return f"more or less than one line: {lines[-3:]}"
    return None if "Traceback" not in result.stderr else "traceback on standard error"


def forget_peak():
    """Begin to look anew for the most memory that this process has at once; Linux alone can."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def peak():
    """The most bytes of memory that it had since."""
    try:
        return int(re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())[1]) * 1024
    except OSError:
        return 0


def tried(seed, kind, number):
    """A case in a folder of its own, its exit code and its fault."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            case = made(kind, seed, number)
            return case, *ending_of(case)
        finally:
            os.chdir(before)


def small_machine(patch):
    """Let the machine seem to have little memory, and toys stand for what takes long."""
    real = os.sysconf
    pages = GIGABYTES * 2**30 // real("SC_PAGE_SIZE")
    patch.setattr("os.sysconf", lambda name: pages if name == "SC_PHYS_PAGES" else real(name))
    patch.setattr("topoctl.papers.sweeps.sweeps", lambda: damage.SWEEPS)


def main():
    """Try as many cases as are asked for; say what became of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=KINDS)
    parser.add_argument("--case", nargs=3, metavar=("SEED", "KIND", "NUMBER"))
    asked = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (ROOM * 2**30, ROOM * 2**30))
    small_machine(pytest.MonkeyPatch())
    if asked.case:
        seed, kind, number = asked.case
        print(tried(int(seed), kind, int(number)))
        return
    faults, codes, slowest = 0, collections.Counter(), collections.Counter()
    highest, began = 0, time.monotonic()
    for number in range(asked.count):
        weights = [weight for _, weight in KINDS.values()]
        kind = asked.kind or draw_of(asked.seed, number).choices([*KINDS], weights)[0]
        start = time.monotonic()
        case, code, fault = tried(asked.seed, kind, number)
        codes[kind, code] += 1
        slowest[kind] = max(slowest[kind], time.monotonic() - start)
        highest = max(highest, peak())
        if fault:
            faults += 1
            print(f"--case {asked.seed} {kind!r} {number}: {fault}: {str(case.arguments)[:300]}", flush=True)
    seconds = time.monotonic() - began
    print(f"{asked.count} cases in {seconds:.0f} s, {faults} faults, {highest / 2**30:.2f} GB at most")
    for kind in KINDS:
        ends = ", ".join(
            f"{count} with {code}" for (one, code), count in sorted(codes.items(), key=str) if one == kind
        )
        print(f"{kind}: {ends}; {slowest[kind]:.1f} s at most")
    raise SystemExit(faults > 0)


if __name__ == "__main__":
    main()
