"""The networks of a design's front, simulated side by side, as far as there is time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from time import monotonic
from typing import Any

from topoctl.analysis.assessment import Numbers
from topoctl.measures.traffic import simulated_numbers
from topoctl.topology import Topology


def simulate_front(
    networks: Sequence[tuple[Topology, Mapping[str, Any]]],
    seed: int,
    threads: int,
    until: float,
    on_done: Callable[[int], None],
) -> list[Numbers | None]:
    """Simulate networks under uniform traffic, by the best of their own routings.

    Args:
        networks: with what was measured of them.
        seed: of all draws.
        threads: networks that are simulated side by side; no result depends on it.
        until: when to stop, by the clock.
        on_done: called with how many are done.

    Returns:
        What was found of each; None where there was no time.
    """
    stop = Event()

    def told(*_: int) -> None:
        if stop.is_set() or monotonic() > until:
            raise _Late

    def simulate(topology: Topology, known: Mapping[str, Any]) -> Numbers | None:
        try:
            told()
            return simulated_numbers(topology, known["own_routing"], known["own_throughput"], seed, told)
        except _Late:
            return None

    found: list[Numbers | None] = []
    with ThreadPoolExecutor(threads) as pool:
        try:
            under_way = [pool.submit(simulate, *one) for one in networks]
            for one in under_way:
                on_done(len(found))
                found.append(one.result())
        except BaseException:
            stop.set()
            raise
    return found


class _Late(Exception):  # noqa: N818 - nothing is wrong
    """There is no more time."""
