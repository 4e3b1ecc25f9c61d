"""Messages that wait for each other, and computations between them: which are ready, since when, and over."""

from __future__ import annotations

from collections import defaultdict
from heapq import heappop, heappush

import numpy as np

from topoctl.kernels.simulation import Plan

NEVER = 2**63 - 1


class Messages:
    """What endpoints are to send, by :class:`topoctl.kernels.simulation.Plan`; false where there is nothing.

    Attributes:
        ready: by message, the cycle since which it may be sent; -1 before.
        over: by message, the cycle in which its last flit arrived; -1 before.
    """

    def __init__(self, plan: Plan) -> None:
        count = len(plan.messages)
        self.ready, self.over = [-1] * count, [-1] * count
        self._plan, self._size = plan, int(plan.sizes[0]) if count else 0
        self._messages: list[tuple[int, int, int]] = [*map(tuple, plan.messages.tolist())]
        self._missing = np.bincount(plan.dependents, minlength=count).tolist()
        self._to_send = [size for _, _, size in self._messages]
        self._unsent, self._under_way = [*self._to_send], [*self._to_send]
        # By endpoint and by processor, what is ready for it, in the order in which it is taken up.
        self._queues: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        self._computations: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        self._busy: set[int] = set()
        # Events are rows of `dependent_rows`: those of later cycles, and those of this one.
        self._later: list[tuple[int, int]] = []
        self._happened: list[int] = []
        for message in range(count):
            if not self._missing[message]:
                self._begin(message, 0)

    def __bool__(self) -> bool:
        return bool(self._messages)

    def ready_at(self, endpoint: int) -> int:
        """Return since when the message is ready that an endpoint sends next."""
        queue = self._queues[endpoint]
        return queue[0][0] if queue else NEVER

    def next_packet(self, endpoint: int) -> tuple[int, int, int]:
        """Take the next packet of an endpoint from its message: its message, destination and flits."""
        _, message = self._queues[endpoint][0]
        flits = min(self._size, self._to_send[message])
        self._to_send[message] -= flits
        if not self._to_send[message]:
            heappop(self._queues[endpoint])
        return message, self._messages[message][1], flits

    def send(self, message: int, flits: int, now: int) -> None:
        """Count a packet of which the last flit is sent in this cycle."""
        self._unsent[message] -= flits
        if not self._unsent[message]:
            heappush(self._later, (now + 1, 2 * message))

    def arrive(self, message: int, flits: int) -> None:
        """Count a packet that arrives in this cycle."""
        self._under_way[message] -= flits
        if not self._under_way[message]:
            self._happened.append(2 * message + 1)

    def settle(self, now: int) -> None:
        """Let everything begin that waited for what has happened, and what follows in the same cycle."""
        while self._later and self._later[0][0] <= now:
            self._happened.append(heappop(self._later)[1])
        while self._happened or self._start_computations(now):
            for event in self._happened_now():
                self._follow(event, now)

    def _happened_now(self) -> list[int]:
        happened, self._happened = self._happened, []
        return happened

    def _follow(self, event: int, now: int) -> None:
        """Count an event for all that waits for it."""
        message, is_end = divmod(event, 2)
        processor, destination, _ = self._messages[message]
        if is_end:
            self.over[message] = now
            if destination < 0:
                self._busy.discard(processor)
        first, end = self._plan.dependent_rows[event : event + 2].tolist()
        for dependent in self._plan.dependents[first:end].tolist():
            self._missing[dependent] -= 1
            if not self._missing[dependent]:
                self._begin(dependent, now)

    def _begin(self, message: int, now: int) -> None:
        """Queue what waits for nothing any more; what needs no processor begins at once."""
        source, destination, size = self._messages[message]
        self.ready[message] = now
        if destination >= 0:
            heappush(self._queues[source], (now, message))
        elif source >= 0:
            heappush(self._computations[source], (now, message))
        else:
            self._end_after(size, message, now)

    def _start_computations(self, now: int) -> bool:
        """Let every idle processor take up its next computation; return whether any ends in this cycle."""
        for processor, queue in self._computations.items():
            if queue and processor not in self._busy:
                _, message = heappop(queue)
                self._busy.add(processor)
                self._end_after(self._messages[message][2], message, now)
        return bool(self._happened)

    def _end_after(self, cycles: int, message: int, now: int) -> None:
        if cycles:
            heappush(self._later, (now + cycles, 2 * message + 1))
        else:
            self._happened.append(2 * message + 1)
