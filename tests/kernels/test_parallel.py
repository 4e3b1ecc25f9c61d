"""The native thread pool: signals are heard, and a failure in a thread becomes an error of the call."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from kernels.backends import NATIVE, needs_native
from topoctl.kernels.acceptance import ONE, acceptance_thresholds
from topoctl.kernels.equality import HopWalk

pytestmark = [needs_native, pytest.mark.skipif(os.name != "posix", reason="signals and resource limits")]
no_sanitizer = pytest.mark.skipif(
    "libasan" in os.environ.get("LD_PRELOAD", ""), reason="AddressSanitizer needs all of the address space"
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
def test_a_handler_that_raises_ends_the_call(alarm, threads):
    def ring(*_):
        raise TimeoutError

    alarm(ring)
    with pytest.raises(TimeoutError):
        walk(moves=10**12, threads=threads)


def test_a_handler_that_returns_changes_nothing(alarm):
    undisturbed = walk(moves=1_000_000)
    rung = []
    alarm(lambda *_: rung.append(True))
    disturbed = walk(moves=1_000_000)
    assert rung
    assert all((one == other).all() for one, other in zip(undisturbed, disturbed, strict=True))


@pytest.mark.skipif(not hasattr(time, "thread_time"), reason="needs the time of one thread")
def test_one_thread_is_the_callers():
    own, everyone = time.thread_time(), time.process_time()
    walk(moves=1_000_000, threads=1)
    own, everyone = time.thread_time() - own, time.process_time() - everyone
    assert own > everyone / 2


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
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs Linux's limit of address space")
def test_a_failure_in_a_thread_is_raised_and_leaves_the_kernel_usable():
    environment = os.environ | {"TOPOCTL_KERNEL": "native", "OPENBLAS_NUM_THREADS": "1"}
    finished = subprocess.run(
        [sys.executable, "-c", SMALL_MEMORY],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (finished.stdout, finished.stderr) == ("no memory\nTrue\n", "")
