"""Trials of failures that an engine makes are those of this process."""

import pytest

from engine.test_enumeration_distances import Several
from topoctl.analysis.resilience import resilience, trials_on_threads
from topoctl.engine.failure_trials import trials_on_engine
from topoctl.engine.protocol import Task
from topoctl.engine.tasks import answers_in_order
from topoctl.errors import InvalidParameters
from topoctl.families import topology_from_spec
from topoctl.options.evaluate import EvaluationRequest
from topoctl.runs.evaluations import Evaluation, Given

pytestmark = pytest.mark.once


@pytest.mark.parametrize("spec", ["dragonfly(p=1,a=4,h=2)", "mesh(dims=3x4)"])
def test_trials_are_the_same_on_an_engine_and_on_threads(spec):
    topology = topology_from_spec(spec)
    shown = []
    found = resilience(
        topology,
        trials=23,
        seed=5,
        survive=trials_on_engine(Several(1)),
        progress=lambda *done: shown.append(done),
    )
    assert found == resilience(topology, trials=23, seed=5, survive=trials_on_threads(2))
    assert shown[-1] == (23, 23)
    assert found != resilience(topology, trials=23, seed=6)


def test_an_evaluation_is_shared_where_it_has_trials():
    asked = EvaluationRequest(measures="resilience,loads", trials=7)
    network = Given("ring", topology_from_spec("torus(dims=12)"))
    here = Evaluation.of(asked, 1)
    [(one, measures)] = here.planned([network], print)
    [shared] = here.shared_by(Several(1)).evaluated(one, measures)
    [alone] = here.evaluated(one, measures)
    assert shared.numbers() == alone.numbers()
    with pytest.raises(InvalidParameters, match="--cluster shares the trials of --measures resilience"):
        Evaluation.of(EvaluationRequest(measures="loads"), cluster="local:9")


def test_answers_and_errors_come_in_the_order_of_their_tasks():
    specs = ["hypercube(n=3)", "hypercube(n=99)", *(f"torus(dims={n})" for n in range(3, 60))]
    done = []
    answers = [
        *answers_in_order(Several(1), [Task("distances", {"spec": spec}) for spec in specs], done.append)
    ]
    assert isinstance(answers[1], InvalidParameters)
    assert [one.values["order"] for one in answers if not isinstance(one, Exception)] == [8, *range(3, 60)]
    assert done == sorted(done)
    assert done[-1] <= len(specs)
