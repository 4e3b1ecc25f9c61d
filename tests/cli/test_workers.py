"""``--workers`` holds for every kernel that a command calls."""

import pytest

from commands import SEARCH, call
from topoctl.kernels import bfs, equality, latency, link_annealing
from topoctl.kernels.backend import thread_count

pytestmark = pytest.mark.once
FAT_TREE = "fattree(k=4)"  # endpoints on some of its routers only, so hops between them are measured
GRID = ["optimize", "grid", "--width", "4", "--height", "4", "--k", "3", "--l", "2", "--moves", "100"]
KERNELS = (bfs, equality, latency, link_annealing)


@pytest.fixture
def asked(monkeypatch):
    """The threads that kernels are called with; None, for every core, among them."""
    asked = []

    def counted(threads):
        asked.append(threads)
        return thread_count(threads)

    for kernel in KERNELS:
        monkeypatch.setattr(kernel, "thread_count", counted)
    return asked


@pytest.mark.parametrize(
    "arguments",
    [
        ["evaluate", FAT_TREE, "N14K6[-1,1,3,9](4)", "torus(dims=300)"],
        ["evaluate", "torus(dims=300)", "--sources", "128"],
        ["plot", FAT_TREE, "-o", "tree.png"],
        ["enumerate", "fattree", "--endpoints", "10..60"],
        ["presets", "compare", "slimfly_balanced"],
        SEARCH,
        GRID,
        [*GRID, "--objective", "latency"],
        ["optimize", "sweep", "table2", "--cells", "k=3,l=3", "--moves", "10"],
    ],
    ids=lambda arguments: " ".join(arguments[:3]),
)
def test_one_worker_is_one_thread(asked, arguments):
    call(*arguments, "--workers", "1")
    assert set(asked) == {1}
