"""``topoctl search cayley``: its time is kept where the first networks are perfect already."""

import time

import pytest

from commands import document

pytestmark = pytest.mark.once


@pytest.mark.parametrize(("order", "radix"), [(31, 14), (60, 20)])
def test_a_search_that_cannot_be_bettered_ends_in_its_time(order, radix):
    asked = ("search", "cayley", "--n", order, "--k", radix, "--seconds", 0.3, "--top", 3, "--no-study")
    began = time.process_time()
    found = document(*asked)
    assert time.process_time() - began < 3
    assert {row["meets_bound"] for row in found["results"]} == {True}
