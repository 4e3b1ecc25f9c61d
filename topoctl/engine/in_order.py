"""Tasks whose answers are wanted in their own order, as many of them under way as an engine has room for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from topoctl.engine.protocol import Answer, Engine, Task

POLL_SECONDS = 0.5


def in_order(
    engine: Engine, tasks: Sequence[Task], on_done: Callable[[int], None] | None = None
) -> Iterator[Answer | Exception]:
    """The answers of tasks one after the other, or the errors that there were instead.

    Args:
        engine: where they run; its threads are told to every task, as the value `threads`.
        tasks: in the order of the answers.
        on_done: called with how many are done, twice a second or so.
    """
    under_way, found = dict[int, int](), dict[int, Answer | Exception]()
    begun = 0
    for place in range(len(tasks)):
        while place not in found:
            while begun < len(tasks) and len(under_way) < engine.slots:
                values = {**tasks[begun].values, "threads": engine.threads}
                under_way[engine.submit(replace(tasks[begun], values=values))] = begun
                begun += 1
            for number, answer in engine.completed(POLL_SECONDS):
                found[under_way.pop(number)] = answer
            if on_done:
                on_done(place + len(found))
        yield found.pop(place)
