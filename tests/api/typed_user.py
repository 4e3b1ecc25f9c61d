"""What a user's program is told of types: checked by mypy, never run."""

from typing import assert_type

import topoctl
from topoctl.search.evaluated_networks import EvaluatedNetwork
from topoctl.topology import Topology


def used() -> None:
    """Call what has a type, and what has a wrong one."""
    assert_type(topoctl.build("slimfly(q=5)"), Topology)
    assert_type(topoctl.optimize_graph(n=9, k=2)[0], EvaluatedNetwork)
    topoctl.optimize_graph(n="9")  # type: ignore[arg-type]
