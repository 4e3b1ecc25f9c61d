"""Trials of random failures, as tasks: a network and the numbers of trials go in, steps survived come out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from topoctl.analysis.distances import Distances
from topoctl.analysis.resilience import Steps, Survive, Trial, trials_on_threads
from topoctl.engine.in_order import in_order
from topoctl.engine.protocol import Answer, Engine, Task
from topoctl.graph import Graph

TRIALS = 10
"""Of a task: so many that its network is worth sending."""


def survived(task: Task) -> Answer:
    """Make the trials of a task."""
    values = task.values
    graph = Graph.from_links(values["order"], task.arrays["links"])
    whole = Distances(values["order"], tuple(values["histogram"]))
    trials = [(failing, number) for failing, number in values["trials"]]
    return Answer(
        {
            "steps": [
                [*steps]
                for steps in trials_on_threads(values["threads"])(graph, whole, values["seed"], trials)
            ]
        }
    )


def on_engine(engine: Engine) -> Survive:
    """What makes trials on an engine; they are the same anywhere."""

    def survive(graph: Graph, whole: Distances, seed: int, trials: Sequence[Trial]) -> Iterator[Steps]:
        links = {"links": graph.links()}
        common = {"order": graph.order, "histogram": [*whole.histogram], "seed": seed}
        batches = [trials[first : first + TRIALS] for first in range(0, len(trials), TRIALS)]
        tasks = [Task("survive", common | {"trials": [[*one] for one in batch]}, links) for batch in batches]
        for answer in in_order(engine, tasks):
            if isinstance(answer, Exception):
                raise answer
            yield from answer.values["steps"]

    return survive
