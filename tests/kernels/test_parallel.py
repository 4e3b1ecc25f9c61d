"""The native pool: its threads stay and are a process's own, signals are heard, failures become errors."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from kernels.backends import NATIVE, needs_native
from topoctl.interruption import Unwanted, wanted_until
from topoctl.kernels.cooling import ONE, acceptance_thresholds
from topoctl.kernels.equality import HopWalk

linux_only = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs Linux's limits and /proc")
pytestmark = [needs_native, pytest.mark.skipif(os.name != "posix", reason="signals and resource limits")]
no_sanitizer = pytest.mark.skipif(
    "libasan" in os.environ.get("LD_PRELOAD", ""),
    reason="AddressSanitizer needs all of the address space, and its allocator may hang in a fork",
)


def walk(moves, threads=2):
    """Anneal three networks of 2,048 routers."""
    odd = np.tile(np.arange(0, 32, dtype=np.int32) ** 2, (3, 1))
    even = np.tile(np.array([3, 50], dtype=np.int32), (3, 1))
    walks = [HopWalk(odd_count=32, odd_fixed=2, even_count=2, even_fixed=0, target=3, moves=moves)] * 3
    seeds, warm = np.arange(3, dtype=np.uint64), np.full((3, 1), ONE)
    return NATIVE.anneal_hops(1024, odd, even, walks, seeds, warm, acceptance_thresholds(), threads)


@pytest.fixture
def alarm():
    """Sets a handler that is called once, 20 ms later."""

    def once(handler):
        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, 0.02)

    former = signal.getsignal(signal.SIGALRM)
    yield once
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, former)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_call_for_which_nobody_waits_ends(threads):
    with pytest.raises(Unwanted), wanted_until(time.monotonic() + 0.1):
        walk(10**12, threads)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_handler_that_raises_ends_the_call(alarm, threads):
    def ring(*_):
        raise TimeoutError

    alarm(ring)
    with pytest.raises(TimeoutError):
        walk(moves=10**12, threads=threads)


def test_a_handler_that_returns_changes_nothing(alarm):
    undisturbed = walk(moves=400_000)
    rung = []
    alarm(lambda *_: rung.append(True))
    disturbed = walk(moves=400_000)
    assert rung
    assert all((one == other).all() for one, other in zip(undisturbed, disturbed, strict=True))


@pytest.mark.skipif(not hasattr(time, "thread_time"), reason="needs the time of one thread")
def test_one_thread_is_the_callers():
    own, everyone = time.thread_time(), time.process_time()
    walk(moves=400_000, threads=1)
    own, everyone = time.thread_time() - own, time.process_time() - everyone
    assert own > everyone / 2


def run_alone(script):
    """What a script prints on both streams, in a process without threads of others."""
    finished = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | {"TOPOCTL_KERNEL": "native", "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return finished.stdout, finished.stderr


STAYING_THREADS = """
import os
import numpy as np
from topoctl.kernels.equality import equality_levels

rows = np.zeros((64, 1), dtype=np.int32), np.ones((64, 1), dtype=np.int32)

def threads_after(calls, threads):
    for _ in range(calls):
        equality_levels(5, *rows, threads=threads)
    return len(os.listdir("/proc/self/task"))

print([threads_after(calls, threads) for calls, threads in ((1, 1), (1, 3), (200, 3), (20, 2), (1, 4))])
"""


@linux_only
def test_threads_stay_and_no_more_are_started_than_are_needed():
    assert run_alone(STAYING_THREADS) == ("[1, 3, 3, 3, 4]\n", "")


FORKS = """
import os, signal, threading, warnings
import numpy as np
from topoctl.kernels.equality import equality_levels

warnings.simplefilter("ignore", DeprecationWarning)
rows = np.zeros((64, 1), dtype=np.int32), np.ones((64, 1), dtype=np.int32)

def right():
    return equality_levels(5, *rows, threads=3).tolist() == [[1, 4, 8, 10]] * 64

def call_until(ended, answers):
    while not ended.is_set():
        answers.append(right())

def outcome_of_child():
    child = os.fork()
    if not child:
        signal.alarm(60)
        os._exit(0 if right() and right() else 1)
    return os.waitpid(child, 0)[1]

# The first call imports the kernels: Python waits for ever in a fork beside an import of another thread.
ended, answers = threading.Event(), [right()]
callers = [threading.Thread(target=call_until, args=(ended, answers)) for _ in range(2)]
for caller in callers:
    caller.start()
print({outcome_of_child() for _ in range(20)})
ended.set()
for caller in callers:
    caller.join()
print(right() and all(answers))
"""


@no_sanitizer
def test_a_fork_while_others_call_has_threads_of_its_own():
    assert run_alone(FORKS) == ("{0}\nTrue\n", "")


SMALL_MEMORY = """
import resource
import numpy as np
from topoctl.kernels.equality import equality_levels

equality_levels(7, np.array([[6, 0, 1, 4]], dtype=np.int32), np.array([[2]], dtype=np.int32))
resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))
rows = np.zeros((8, 1), dtype=np.int32), np.ones((8, 1), dtype=np.int32)
try:
    equality_levels(2**29, *rows, threads=2)
except MemoryError:
    print("no memory")
print(equality_levels(5, *rows, threads=2).tolist() == [[1, 4, 8, 10]] * 8)
"""


@no_sanitizer
@linux_only
def test_a_failure_in_a_thread_is_raised_and_leaves_the_kernel_usable():
    assert run_alone(SMALL_MEMORY) == ("no memory\nTrue\n", "")
