"""The command line, which sends a signal once its search has come so far, to itself or to another process.

A test that waits for a checkpoint and sends the signal would need a search so long that it surely goes on
meanwhile, on any machine. So these searches are short, but have a checkpoint of every epoch.
"""

import os
import sys
import threading
from itertools import count
from pathlib import Path

from processes import launch
from topoctl.__main__ import main
from topoctl.search.registry import SEARCHES, search_class
from topoctl.search.simulation import search as simulation
from topoctl.study import coordinator, runner
from topoctl.study.store import Study


def stopped_in_epoch(epoch, number, arguments, folder, toy=False):
    """A search that sends itself this signal in this epoch."""
    return stopping("epoch", epoch, number, 0, toy, arguments, folder)


def stopped_after_checkpoints(checkpoints, number, arguments, folder, toy=False, process=0):
    """A search that sends this signal after so many checkpoints, to itself or to another process."""
    return stopping("checkpoint", checkpoints, number, process, toy, arguments, folder)


def stopping(what, when, number, process, toy, arguments, folder):
    numbers = [str(int(one)) for one in (when, number, process, toy)]
    paths = os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    return launch([sys.executable, __file__, what, *numbers, *arguments], folder, {"PYTHONPATH": paths})


def in_epoch(step, epoch, send):
    """A step that sends the signal from a thread of its own: this one is in the kernels when it arrives."""

    def stopped(self, state, threads):
        if state.epoch == epoch:
            threading.Thread(target=send).start()
        return step(self, state, threads)

    return stopped


def after_checkpoint(save, checkpoints, send):
    """What saves a state, and sends the signal once it has done so often enough."""
    written = count(1)

    def stopped(*arguments):
        save(*arguments)
        if next(written) == checkpoints:
            send()

    return stopped


if __name__ == "__main__":
    what, (when, number, process, toy) = sys.argv[1], map(int, sys.argv[2:6])
    del sys.argv[1:6]
    runner.CHECKPOINT_SECONDS = coordinator.TASK_SECONDS = 0.0
    coordinator.PART = float("inf")
    simulation.EPOCH_FLITS = dict.fromkeys(simulation.EPOCH_FLITS, 30_000)

    def send():
        os.kill(process or os.getpid(), number)

    if toy:
        SEARCHES["search equality"] = "toy_search:ToySearch"
    if what == "checkpoint":
        Study.save = after_checkpoint(Study.save, when, send)
    else:
        search = search_class(" ".join(sys.argv[1:3]))
        search.step = in_epoch(search.step, when, send)
    main()
