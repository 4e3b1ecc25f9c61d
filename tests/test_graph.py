"""The vocabulary: graphs and their links."""

import pytest

from topoctl.errors import InvalidParameters
from topoctl.graph import Graph
from topoctl.kernels.backend import backend_name


def test_backend():
    print(backend_name())


@pytest.mark.parametrize(
    ("links", "reason"),
    [
        ([(0, 3)], r"link 0 \(0, 3\): expected routers 0..2"),
        ([(0, 1), (1, 1)], r"link 1 \(1, 1\): a self-loop"),
        ([(0, 1), (1, 2), (1, 0)], r"link 2 \(1, 0\): the same link as link 0"),
    ],
)
def test_faulty_links_are_named(links, reason):
    with pytest.raises(InvalidParameters, match=reason):
        Graph.from_links(3, links)
