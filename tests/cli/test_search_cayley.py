"""``topoctl search cayley``: its time where the first networks are perfect, and what it is set beside."""

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


@pytest.mark.parametrize(
    ("search", "beside"),
    [
        (("cayley", "--n", 200, "--k", 24), "equality/e369"),
        (("cayley", "--n", 200, "--k", 24, "--tolerance", 2), None),
        (("cayley", "--n", 256, "--k", 10), "graph/n256-k10"),
        (("cayley", "--n", 256, "--k", 11), None),
    ],
)
def test_a_search_is_set_beside_what_is_published_of_its_size(search, beside):
    found = document("search", *search, "--evaluations", 300, "--top", 1, "--no-study")
    assert (found["published"] or {}).get("preset") == beside
