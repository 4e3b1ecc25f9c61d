"""Every kernel: a compiled one and its twin in numpy, of the same parameters and the same results."""

import inspect
import os
import re
import signal
import sys
import threading
import time
from dataclasses import fields, is_dataclass
from pathlib import Path

import numpy as np
import pytest

from kernels.backends import BACKENDS, NATIVE, needs_native, only
from kernels.calls import ACCEPTED, LONG
from processes import PATIENCE, launch
from topoctl.kernels import fallback

# A simulation goes on where it stopped, and has tests of its own.
SIMULATION = {"Simulator", "simulator_of"}
TWINS = set(fallback.__all__) - SIMULATION
each_kernel = pytest.mark.parametrize("kernel", ACCEPTED, ids=lambda kernel: kernel.__name__)


def arrays_of(value):
    """All that a result or an argument holds, as arrays in a fixed order."""
    if is_dataclass(value):
        return [array for field in fields(value) for array in arrays_of(getattr(value, field.name))]
    if isinstance(value, (tuple, list)):
        return [array for one in value for array in arrays_of(one)]
    return [] if value is None or isinstance(value, str) else [np.asarray(value)]


def test_every_kernel_is_called_here():
    assert set(ACCEPTED) == set(LONG)
    assert {kernel.__name__ for kernel in ACCEPTED} == TWINS


@needs_native
def test_every_kernel_has_a_twin_of_the_same_parameters():
    assert {name for name in dir(NATIVE) if not name.startswith("_")} - SIMULATION == TWINS
    for name in TWINS:
        native = getattr(NATIVE, name).__nb_signature__[0][0]
        parameters = inspect.signature(getattr(fallback, name)).parameters
        assert re.findall(r"(\w+): ", native) == list(parameters), name


@each_kernel
def test_results_are_integers_the_same_on_both_and_with_any_threads(kernel):
    given = [array.copy() for array in arrays_of([*ACCEPTED[kernel].values()])]
    results = []
    for name in BACKENDS:
        for threads in (1, 3):
            with only(name):
                results.append(arrays_of(kernel(**ACCEPTED[kernel], threads=threads)))
    for result in results:
        assert result
        assert all(array.dtype.kind in "iub" for array in result)
        for ours, first in zip(result, results[0], strict=True):
            assert ours.dtype == first.dtype
            np.testing.assert_array_equal(ours, first)
    for array, before in zip(arrays_of([*ACCEPTED[kernel].values()]), given, strict=True):
        np.testing.assert_array_equal(array, before)


INTERRUPTED = """
from kernels.calls import LONG
for kernel, prepare in LONG.items():
    arguments = prepare()
    print("started", flush=True)
    try:
        kernel(**arguments)
        print(f"{kernel.__name__} has ended", flush=True)
    except KeyboardInterrupt:
        print(f"{kernel.__name__} is interrupted", flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_ends_a_long_call_of_every_kernel(tmp_path):
    tests = {"PYTHONPATH": str(Path(__file__).parents[1])}
    child = launch([sys.executable, "-c", INTERRUPTED], tmp_path, tests)
    # Calls take long; under the sanitizers, seconds pass between two looks at the signals.
    hanging = threading.Timer(len(LONG) * PATIENCE, child.kill)
    hanging.start()
    try:
        for kernel in LONG:
            assert child.stdout.readline() == "started\n", kernel.__name__
            time.sleep(0.03)
            assert child.poll() is None
            child.send_signal(signal.SIGINT)
            assert child.stdout.readline() == f"{kernel.__name__} is interrupted\n"
        assert child.wait(PATIENCE) == 0
    finally:
        hanging.cancel()
        child.kill()
        child.communicate()
