"""Search from a list of sources in chunks, so that a long measurement reports its progress."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from topoctl.graph import Graph
from topoctl.kernels.backend import backend_name, thread_count
from topoctl.kernels.bfs import Reach, bfs

OnProgress = Callable[[int, int], None]

REPORT_SECONDS = 0.5
BLOCK_SOURCES = 512
AT_ONCE = 2 * 10**11
"""Sources times directed links for which the compiled kernel takes a second, about, and less by far where all
routers are searched from at once."""


def search_in_chunks(
    graph: Graph, sources: NDArray[np.int32], threads: int | None, progress: OnProgress | None
) -> Iterator[Reach]:
    """Search from consecutive chunks of the sources, about two a second where there is progress to tell.

    Chunks are whole blocks of the kernel, so that all threads are busy and groups of 64 stay whole.

    Args:
        graph: any graph.
        sources: router numbers, int32, shape (sources,).
        threads: as for the kernel.
        progress: called with the sources done and their total, first with none, then after every chunk.
    """
    quantum = BLOCK_SOURCES * thread_count(threads)
    short = backend_name() == "native" and len(sources) * len(graph.neighbors) <= AT_ONCE
    chunk = max(len(sources), 1) if short or not progress else 2 * quantum
    done = 0
    if progress:
        progress(done, len(sources))
    while done < len(sources):
        started = monotonic()
        reach = bfs(graph.offsets, graph.neighbors, sources[done : done + chunk], threads)
        elapsed = max(monotonic() - started, 1e-3)
        done = min(done + chunk, len(sources))
        if progress:
            progress(done, len(sources))
        chunk = max(1, min(8 * chunk, int(chunk * REPORT_SECONDS / elapsed)) // quantum) * quantum
        yield reach
