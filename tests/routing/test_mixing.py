"""Adaptive routings that choose between two: told by the best fixed mix of these."""

import numpy as np
import pytest

from oracles import table
from topoctl import route
from topoctl.families import topology_from_spec
from topoctl.routing.mixing import best_mix

PATTERNS = {"slimfly-worst": "adversarial", "next-group": "adversarial"}
ROWS = [row for row in table("routing/adversarial.tsv") if topology_from_spec(row["spec"]).graph.order < 70]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['spec']}-{row['pattern']}")
def test_ugal_is_told_by_the_best_mix_of_minimal_paths_and_valiants(row):
    traffic = PATTERNS.get(row["pattern"], row["pattern"])
    [found] = route(
        topology_from_spec(row["spec"]), routing="ugal-l", traffic=traffic, virtual_channels="none"
    )
    assert found.throughput == pytest.approx(float(row["mix_theta"]), rel=1e-6)


def test_no_share_is_better_than_the_best():
    draw = np.random.default_rng(5)
    for _ in range(50):
        first, second = draw.integers(0, 20, (2, 30)) / 4
        best = best_mix(first, second)
        others = [(share * first + (1 - share) * second).max() for share in np.linspace(0, 1, 401)]
        assert best.loads.max() <= min(others) + 1e-12
        assert best.loads == pytest.approx(best.share * first + (1 - best.share) * second)
