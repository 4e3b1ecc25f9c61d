"""What workers send back: answers are taken, and what is none is told, whatever it is."""

import json
from contextlib import suppress
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from engine.test_tasks import SEARCHES
from study import damage
from topoctl.analysis.distances import Distances
from topoctl.engine.design_measurements import measurement_task, simulation_task
from topoctl.engine.enumeration_distances import DistancesOnEngine
from topoctl.engine.epochs import Progress, epochs_task, progress_of
from topoctl.engine.failure_trials import trials_on_engine
from topoctl.engine.tasks import Local, perform
from topoctl.engine.worker import Malformed, Refused, answer_of, task_bytes, work
from topoctl.errors import Infeasible, TopoctlError
from topoctl.families import FAMILIES, topology_from_spec
from topoctl.graph import Graph
from topoctl.runs.networks import network_row
from topoctl.search.annealing.request import AnnealingRequest
from topoctl.search.annealing.search import AnnealingSearch
from topoctl.search.design.objectives import OBJECTIVES
from topoctl.search.design.request import DesignRequest
from topoctl.search.enumeration.listing import WantedInstances, list_families
from topoctl.search.enumeration.windows import Window
from topoctl.search.simulation.search import PointSearch
from topoctl.search.simulation.work import WorkToComplete
from topoctl.search.state import pack, unpack
from topoctl.simulation.request import SimulationRequest
from topoctl.simulation.workloads.record import Work
from topoctl.topology import Topology, uniform_endpoints

pytestmark = pytest.mark.once
SEARCH = SEARCHES[1]
RING = Graph.from_links(5, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)])


class Recording(Local):
    """Keeps the tasks that it is given."""

    def __init__(self):
        super().__init__(threads=1)
        self.tasks = []

    def submit(self, task):
        self.tasks.append(task)
        return super().submit(task)


def task_of(search, epochs=3, budget=0.0):
    """The second task of a search."""
    first = perform(epochs_task(search, Progress(None, 0.0), 0.0, 1, 1))
    return epochs_task(search, progress_of(first), budget, epochs, 1)


@cache
def tasks():
    """A task of every kind."""
    engine = Recording()
    steps = trials_on_engine(engine)(RING, Distances(5, (5, 5)), 1, [("link", 0), ("router", 1)])
    assert len([*steps]) == 2
    listed = list_families([FAMILIES["torus"]], WantedInstances({"endpoints": Window(20, 40)}, balanced=True))
    assert DistancesOnEngine(engine, lambda *_: None)(listed.entries[0], []).order > 2
    designed = DesignRequest("20..40", "..9", front=tuple(OBJECTIVES), evaluations=1)
    measured = measurement_task(topology_from_spec("torus(dims=3x4,p=2)"), designed)
    measured = replace(measured, values={**measured.values, "threads": 1})
    routed = {"own_routing": "ecmp", "own_throughput": 1.0}
    simulated = simulation_task(Topology("graph", {}, RING, uniform_endpoints(5, 1)), routed, 1)
    simulated = replace(simulated, values={**simulated.values, "threads": 1})
    every = (*SEARCHES, AnnealingSearch.plan(AnnealingRequest(order=50, degree=4, seconds=1.0), 1))
    first = [epochs_task(search, Progress(None, 0.0), 0.0, 1, 1) for search in every]
    work_of_file = sent()
    first.append(epochs_task(work_of_file, Progress(work_of_file.first_state(), 0.0), 0.0, 1, 1))
    later = [task_of(search, 2, 9.0) for search in every]
    return [measured, simulated, *engine.tasks, *first, *later]


def sent():
    """Work of a file on a network without a name: what workers are told of both is in the first state."""
    topology = Topology("graph", {}, RING, uniform_endpoints(5, 1))
    subject = WorkToComplete(SimulationRequest(work="x.goal"))
    files = {"x.goal": Work(2, np.array([[0, 1, 640]]), np.zeros((0, 2), dtype=np.int64))}
    return PointSearch(subject, network_row(topology, "ring.edges"), topology, files)


@cache
def answered(place):
    """The answer to a task of those above, in bytes."""
    return work(task_bytes(tasks()[place]))


def test_answers_of_every_task_are_taken():
    functions = set()
    for place, task in enumerate(tasks()):
        functions.add(task.function)
        assert answer_of(answered(place), task).values.keys()
    assert functions == {"epochs", "distances", "trials", "measurement", "simulation"}


HOLLOW = [None, [], "x", {}, {"values": []}, {"values": {}}, {"values": {}, "error": ["Damaged", "x"]}]
HOLLOW += [
    {"refused": ["tcp://a:1"]},
    {"refused": ["tcp://a:1", {}]},
    {"refused": [1, {"topoctl": 1, "kernel": 1}]},
]
HOLLOW += [{"error": "x"}, {"error": ["Iterable", "x"]}, {"error": ["Infeasible", 7]}]


@pytest.mark.parametrize(
    "data", [None, "x", 7, b"", b"\x80\x04.", b"{}\n", *(pack(one, {}) for one in HOLLOW)]
)
def test_what_is_no_answer_is_told(data):
    for task in tasks():
        with pytest.raises(Malformed):
            answer_of(data, task)


FORGED = {
    "later epoch": {"state": {"epoch": 10**6}},
    "former epoch": {"state": {"epoch": 0}},
    "same epoch": {"state": {"epoch": 1}},
    "no epoch": {"state": {"epoch": "x"}},
    "fewer evaluations": {"state": {"evaluations": 0}},
    "an end": {"state": {"corrections": [[2, 0]]}},
    "no notes": {"state": {"notes": {}}},
    "no state": {"state": None},
    "no time": {"seconds": "soon"},
    "a time ago": {"seconds": 0.0},
    "no pace": {"memory": [None, [0.0]]},
}


@pytest.mark.parametrize("forgery", FORGED.values(), ids=FORGED)
def test_a_state_that_no_such_task_can_end_in_is_told(forgery):
    task = task_of(SEARCH)
    header, arrays = unpack(work(task_bytes(task)), "the answer")
    values = header["values"]
    for name, value in forgery.items():
        values[name] = {**values[name], **value} if isinstance(value, dict) else value
    with pytest.raises(Malformed):
        answer_of(pack(header, arrays), task)


@pytest.mark.parametrize("seed", range(60))
def test_answers_that_were_made_up_are_told_or_taken(seed):
    draw = damage.draws(seed)
    place = seed % len(tasks())
    header, arrays = unpack(answered(place), "the answer")
    data = pack({}, arrays).partition(b"\n")
    told = json.loads(data[0]) | {"header": damage.changed(header, draw)}
    with suppress(Malformed, Refused, TopoctlError):
        answer_of(damage.as_text(told).encode() + b"\n" + data[2], tasks()[place])


def test_a_worker_says_nothing_in_control_characters():
    data = pack({"error": ["Infeasible", "none\x1b[31m at\nall"]}, {})
    with pytest.raises(Infeasible) as error:
        answer_of(data, task_of(SEARCH))
    assert str(error.value).isprintable()
