"""Run trials of random failures as tasks: a network and numbers of trials go in, steps survived come out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from topoctl.analysis.distances import Distances
from topoctl.analysis.random_failures import Trial
from topoctl.analysis.resilience import CRITERIA, Steps, Survive, trials_on_threads
from topoctl.engine.protocol import Answer, Engine, Task
from topoctl.engine.tasks import answers_in_order
from topoctl.graph import Graph
from topoctl.json_shapes import many, record, whole

TRIALS_PER_TASK = 10  # so many that its network is worth sending


def run_trials(task: Task) -> Answer:
    """Run the trials of a task."""
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


def trials_on_engine(engine: Engine) -> Survive:
    """Return a function that runs trials on an engine; they are the same anywhere."""

    def survive(graph: Graph, whole: Distances, seed: int, trials: Sequence[Trial]) -> Iterator[Steps]:
        links = {"links": graph.links()}
        common = {"order": graph.order, "histogram": [*whole.histogram], "seed": seed}
        batches = [
            trials[first : first + TRIALS_PER_TASK] for first in range(0, len(trials), TRIALS_PER_TASK)
        ]
        tasks = [
            Task("trials", common | {"trials": [[*one] for one in batch]}, links, partial(_check, len(batch)))
            for batch in batches
        ]
        for answer in answers_in_order(engine, tasks):
            if isinstance(answer, Exception):
                raise answer
            yield from answer.values["steps"]

    return survive


def _check(trials: int, answer: Answer) -> None:
    """Refuse an answer without the steps of each trial, by each criterion."""
    steps = many(many(whole(), len(CRITERIA), len(CRITERIA)), trials, trials)
    record({"steps": steps})(dict(answer.values), "the answer")
