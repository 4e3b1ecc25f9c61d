"""Ctrl-C at random moments in real commands, from the start of the process on.

The tests take a small sample. A large one: ``python tests/sigints.py --count 500 --seed 1``.
"""

import argparse
import collections
import json
import random
import re
import signal
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from commands import call, ended
from processes import PATIENCE, launch, wait_for_evaluations

COMMAND = str(Path(sys.executable).with_name("topoctl"))
"""The installed program, whose own start is interrupted too."""

COMMANDS = {
    "equality": "search equality --n 2048 --k 28 --seconds 20 --json",
    "equality huge": "search equality --n 4000000 --k 10 --seconds 20 --top 1 --json",
    "cayley": "search cayley --n 2048 --k 28 --seconds 20 --json",
    "grid": "optimize grid --width 30 --height 30 --k 6 --l 6 --seconds 20 --json",
    "graph": "optimize graph --n 256 --k 5 --seconds 20 --graph best.edges --json",
    "graph huge": "optimize graph --n 65536 --k 4 --seconds 20 --json",
    "grow": "grow slimfly(q=9) --routers 9 --recable 20,40 --seconds 20 --json",
    "design": "design --endpoints 1000 --router-radix 16 --seconds 20 --json",
    "simulate": "simulate torus(dims=8x8) --load 0.1,0.3 --cycles 3000000 --precision 1e-6 --json",
    "sweep": "optimize sweep table2 --seconds 10 --graphs found --picture found.svg --json",
    "cells": "sweep optimize grid --width 30 --height 30 --k 6 --vary l=5..8 --moves 100000 --json",
    "measured cells": "sweep evaluate jellyfish(n={n},r=16) --vary n=1000..9000:200 --json",
    "cluster": "optimize grid --width 30 --height 30 --k 6 --l 6 --seconds 20 --json --cluster local:2",
    "enumerate": "enumerate all --balanced --endpoints 900..3000 --top 0 --json",
    "evaluate": "evaluate jellyfish(n=1000000,r=16) --sources 64 --json",
    "resume": "runs resume 1 --json",
}
"""Commands that search, grow or simulate, and measurements that take long."""
LONGEST_DELAYS = dict.fromkeys(("design", "cells", "cluster", "equality huge", "graph huge", "evaluate"), 8.0)
"""Seconds; 3 for the others."""


@dataclass(frozen=True)
class Ending:
    """How a process ended.

    Attributes:
        code: its exit status; negative where a signal ended it.
        seconds: from the signal to the end.
        output, messages: its streams.
        begun: whether it has stored a run.
    """

    code: int
    seconds: float
    output: str
    messages: str
    begun: bool

    @property
    def kind(self):
        """What became of the process, in words; those that begin with FAULT should not be."""
        if self.messages.startswith("Failed checking if argv[0] is an import path entry"):
            return "unheard: swallowed by Python's own start"
        if self.code in (1, -signal.SIGINT) and self.while_python_started:
            return "gone while Python itself started"
        if self.code == 0:
            return "0, done before"
        if "Traceback" in self.messages or "Exception ignored" in self.messages:
            return "FAULT: traceback"
        if self.code != 130:
            return f"FAULT: exit {self.code}"
        if self.begun and not re.search("topoctl runs resume g?1", self.messages):
            return "FAULT: a run is stored, and nothing says how to go on"
        if self.output and not whole(self.output):
            return "FAULT: half a document"
        if self.output:
            return "130, best so far printed"
        return "130, resumable" if self.begun else "130, before anything began"

    @property
    def while_python_started(self):
        """Whether the signal came before topoctl's first function was called: Python says what it likes."""
        itself = self.messages == "" or "KeyboardInterrupt" in self.messages
        return itself and not re.search(r'topoctl/__main__\.py", line \d+, in main', self.messages)


def whole(text):
    """Whether a text is one JSON document."""
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def prepare(name, folder):
    """What a command needs to be there: for `runs resume` a run that was interrupted."""
    if name == "resume":
        process = launch([COMMAND, *COMMANDS["grid"].split()], folder)
        wait_for_evaluations(folder, 1)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)


def interrupted(name, delay, folder):
    """Start a command of COMMANDS in a folder, and press Ctrl-C after so many seconds."""
    before = len(runs_of(folder))
    process = launch([COMMAND, *COMMANDS[name].split()], folder)
    try:
        time.sleep(delay)
        pressed = time.monotonic()
        process.send_signal(signal.SIGINT)
        output, messages = process.communicate(timeout=PATIENCE)
        seconds = time.monotonic() - pressed
    finally:
        process.kill()
        process.communicate()
    return Ending(process.returncode, seconds, output, messages, len(runs_of(folder)) > before)


def runs_of(folder):
    """The runs of the study in a folder, as the command shows them: what is stored of each can be read."""
    study = folder / "topoctl.db"
    if not study.exists():
        return []
    listed = ended("runs", "list", "--json", "--study", study)
    if "not a study" in listed.stderr:
        return []  # gone while the file was created
    assert listed.exit_code == 0, listed.stderr
    runs = json.loads(listed.stdout)["results"]
    for run in runs:
        call("runs", "show", run["id"], "--study", study)
    return runs


def main():
    """Press Ctrl-C as often as is asked for; say what became of the processes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=list(COMMANDS))
    options = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    draws = random.Random(options.seed)
    faults, kinds, reactions = 0, collections.Counter(), collections.defaultdict(list)
    names = [options.only] if options.only else list(COMMANDS)
    for number in range(options.count):
        name = names[number % len(names)]
        delay = draws.uniform(0, LONGEST_DELAYS.get(name, 3.0))
        with tempfile.TemporaryDirectory() as folder:
            prepare(name, Path(folder))
            ending = interrupted(name, delay, Path(folder))
            left = [path.name for path in Path(folder).iterdir() if path.name.startswith(".")]
        kinds[ending.kind] += 1
        reactions[name].append(ending.seconds)
        wrong = ending.kind.startswith("FAULT") or bool(left)
        faults += wrong
        if wrong or ending.seconds > 2:
            print(f"{name} after {delay:.3f} s: {ending} {left}", flush=True)
    for kind, count in kinds.most_common():
        print(f"{count:5} {kind}")
    for name, seconds in reactions.items():
        median = sorted(seconds)[len(seconds) // 2]
        print(f"{name}: median reaction {median:.3f} s, slowest {max(seconds):.2f} s")
    raise SystemExit(faults > 0)


if __name__ == "__main__":
    main()
