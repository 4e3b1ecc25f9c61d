"""Ctrl-C at random moments in real commands, from the start of the process on.

The tests take a small sample. A large one: ``python tests/sigints.py --count 500 --seed 1``.
"""

import argparse
import collections
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

COMMAND = str(Path(sys.executable).with_name("topoctl"))
PATIENCE = 60
LONGEST_DELAY = 3.0

COMMANDS = {
    "equality": "search equality --n 2048 --k 28 --seconds 60 --json",
    "equality huge": "search equality --n 100000000 --k 3 --seconds 10 --json",
    "grid": "optimize grid --width 30 --height 30 --k 6 --l 6 --seconds 60 --json",
    "graph": "optimize graph --n 256 --k 5 --seconds 60 --graph best.edges --json",
    "graph huge": "optimize graph --n 65536 --k 4 --seconds 60 --json",
    "sweep": "optimize sweep table2 --seconds 10 --graphs found --picture found.svg --json",
    "enumerate": "enumerate all --balanced --endpoints 900..3000 --top 0 --json",
    "evaluate": "evaluate jellyfish(n=1000000,r=16) --sources 64 --json",
    "resume": "runs resume 1 --json",
}
"""Every command that searches, and measurements that take long."""


@dataclass(frozen=True)
class Ending:
    """How a process ended.

    Attributes:
        code: its exit status; negative where a signal ended it.
        seconds: from the signal to the end.
        output, messages: its streams.
        begun: whether its study holds a run.
    """

    code: int
    seconds: float
    output: str
    messages: str
    begun: bool

    @property
    def kind(self):
        """What became of the process, in words; those that begin with FAULT should not be."""
        if self.code == 0:
            return "done before"
        if "topoctl" not in self.messages and self.code in (-signal.SIGINT, 1) or not self.mine:
            return "gone before topoctl's first line"  # Python's own start: its traceback, or none
        if "Traceback" in self.messages or "Exception ignored" in self.messages:
            return "FAULT: traceback"
        if self.code != 130:
            return f"FAULT: exit {self.code}"
        if self.begun and "topoctl runs resume 1" not in self.messages:
            return "FAULT: a run is stored, and nothing says how to go on"
        if self.output:
            return "130, best so far printed" if whole(self.output) else "FAULT: half a document"
        return "130, resumable" if self.begun else "130, before anything began"

    @property
    def mine(self):
        """Whether topoctl's code had begun: a traceback of Python's own start names no file of the package."""
        return "Traceback" not in self.messages or f"{os.sep}topoctl{os.sep}" in self.messages


def whole(text):
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def interrupted(name, delay, folder):
    """Start a command of COMMANDS in a folder, and press Ctrl-C after so many seconds."""
    process = subprocess.Popen(
        [COMMAND, *COMMANDS[name].split()],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        time.sleep(delay)
        pressed = time.monotonic()
        process.send_signal(signal.SIGINT)
        output, messages = process.communicate(timeout=PATIENCE)
        seconds = time.monotonic() - pressed
    finally:
        process.kill()
        process.communicate()
    return Ending(process.returncode, seconds, output, messages, bool(runs_of(folder)))


def runs_of(folder):
    """The runs of the study in a folder, as the command lists them."""
    if not (Path(folder) / "topoctl.db").exists():
        return []
    listed = subprocess.run(
        [COMMAND, "runs", "list", "--json"], cwd=folder, capture_output=True, text=True, check=False
    )
    if "no such table" in listed.stderr or "not a study" in listed.stderr:
        return []  # gone while the file was created
    assert listed.returncode == 0, listed.stderr
    return json.loads(listed.stdout)["results"]


def prepare(name, folder):
    """What a command needs to be there."""
    if name == "resume":
        interrupted("grid", 2.0, folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=list(COMMANDS))
    options = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    draws = random.Random(options.seed)
    kinds, slowest = collections.Counter(), collections.defaultdict(float)
    names = [options.only] if options.only else list(COMMANDS)
    for number in range(options.count):
        name, delay = names[number % len(names)], draws.uniform(0, LONGEST_DELAY)
        with tempfile.TemporaryDirectory() as folder:
            prepare(name, folder)
            ending = interrupted(name, delay, folder)
            left = [path.name for path in Path(folder).iterdir() if path.name.startswith(".")]
        kinds[ending.kind] += 1
        slowest[name] = max(slowest[name], ending.seconds)
        if ending.kind.startswith("FAULT") or left or ending.seconds > 2:
            print(f"{name} after {delay:.3f} s: {ending} {left}", flush=True)
    for kind, count in kinds.most_common():
        print(f"{count:5} {kind}")
    for name, seconds in slowest.items():
        print(f"slowest reaction of {name}: {seconds:.2f} s")


if __name__ == "__main__":
    main()
