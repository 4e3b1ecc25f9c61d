"""One ranking of what several searches found: in order, distinct, and whoever ended first."""

from hypothesis import given
from hypothesis import strategies as st

from topoctl.search.leaders_of_seeds import ranked_together
from topoctl.search.protocol import Candidate

SCORES = st.tuples(st.integers(2, 4), st.integers(10, 13))
LEADERS = st.lists(st.lists(st.tuples(SCORES, st.sampled_from("abc")), max_size=4), min_size=1, max_size=4)


def candidate(score, letter):
    """A network whose spec differs at every call, and whose name tells which it is."""
    return Candidate(None, *score, standing=score, name=lambda: (score, letter))


@given(LEADERS, st.integers(1, 8))
def test_a_ranking_has_each_of_the_best_networks_once_in_order(found, count):
    leaders = [[candidate(*one) for one in sorted(networks)] for networks in found]
    ranking = ranked_together(leaders, count)
    networks = sorted({one for networks in found for one in networks}, key=lambda one: one[0])
    scores = [one.candidate.standing for one in ranking]
    assert scores == [score for score, _ in networks][:count]
    names = [one.candidate.name() for one in ranking]
    assert len({*names}) == len(names)
    for one in ranking:
        assert leaders[one.place][one.rank - 1] is one.candidate
        earlier = [other for networks in leaders[: one.place] for other in networks]
        assert one.candidate.name() not in [other.name() for other in earlier]
