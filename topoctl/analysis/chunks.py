"""Search from a list of sources in chunks, so that a long measurement reports its progress."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from topoctl.graph import Graph
from topoctl.kernels.backend import thread_count
from topoctl.kernels.bfs import Reach, bfs

OnProgress = Callable[[int, int], None]

REPORT_SECONDS = 0.5
BLOCK_SOURCES = 512


def search_in_chunks(
    graph: Graph, sources: NDArray[np.int32], threads: int | None, progress: OnProgress | None
) -> Iterator[Reach]:
    """Search from consecutive chunks of the sources, about two chunks a second where progress is reported.

    Chunks are whole blocks of the kernel, so that all threads are busy and groups of 64 stay whole.

    Args:
        graph: any graph.
        sources: router numbers, int32, shape (sources,).
        threads: as for the kernel.
        progress: called with the sources done and their total, first with none, then after every chunk.
    """
    quantum = BLOCK_SOURCES * thread_count(threads)
    chunk = 2 * quantum if progress else max(len(sources), 1)
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
