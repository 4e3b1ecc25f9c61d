"""BookSim's traffic: its random numbers, its patterns, its rates."""

import csv
from fractions import Fraction

import pytest

from simulation.booksim.configurations import DATA, MESH, configured
from topoctl.simulation.booksim.random_numbers import DEFAULT_SEED, RandomNumbers
from topoctl.simulation.booksim.traffic import GAP_STEPS, pattern, traffic_fields

PERMUTATIONS = list(csv.DictReader((DATA / "permutations.tsv").read_text().splitlines(), delimiter="\t"))


def sends_to(traffic, nodes, **others):
    to = pattern(configured(MESH | {"traffic": traffic} | others), nodes)
    return [to(source) for source in range(nodes)]


def singles(traffic, nodes, **others):
    rows = sends_to(traffic, nodes, **others)
    assert all(len(row) == 1 for row in rows)
    return [to for ((to, _),) in rows]


def test_the_numbers_are_those_of_knuth():
    numbers = RandomNumbers(310952)
    drawn = [numbers.next() for _ in range(2009 * 100 + 1)]
    assert drawn[-1] == 995235265  # what Knuth prints for his own test


@pytest.mark.parametrize("row", PERMUTATIONS, ids=lambda row: f"{row['nodes']}-{row['perm_seed']}")
def test_random_permutations_are_those_of_booksim(row):
    found = singles(f"randperm({row['perm_seed']})", int(row["nodes"]))
    assert found == [int(to) for to in row["destinations_of_0_to_N-1"].split(",")]
    assert found == singles("randperm", int(row["nodes"]), perm_seed=row["perm_seed"])


def test_permutations_of_bits_and_digits():
    assert singles("bitcomp", 8) == [7, 6, 5, 4, 3, 2, 1, 0]
    assert singles("bitrev", 8) == [0, 4, 2, 6, 1, 5, 3, 7]
    assert singles("shuffle", 8) == [0, 2, 4, 6, 1, 3, 5, 7]
    assert singles("transpose", 16)[:6] == [0, 4, 8, 12, 1, 5]
    # Every digit of base 8 goes 3 ahead, and the node is 21 = 25 in base 8.
    assert singles("tornado", 64, k="8")[21] == 5 * 8 + 0
    assert singles("tornado({64,1})", 64)[40] == (40 + 31) % 64
    assert singles("neighbor({64,1})", 64)[63] == 0
    # Without arguments those of the configuration count: all lands below xr * k to the n.
    assert max(singles("neighbor", 64, k="4")) == 15


def test_patterns_that_draw():
    assert sends_to("diagonal", 8)[7] == [(0, 1), (7, 2)]
    assert sends_to("asymmetric", 8)[6] == [(2, 1), (6, 1)]
    assert sends_to("hotspot({{0,2,4},{1,3}})", 8)[5] == [(0, 1), (2, 3), (4, 3)]
    assert sends_to("hotspot({{-1}})", 8)[0] == [(RandomNumbers(DEFAULT_SEED).up_to(7), 1)]
    assert [to for to, _ in sends_to("background({{0,1}})", 4)[3]] == [2, 3]
    assert [to for to, _ in sends_to("bad_dragon(2)", 72)[71]] == list(range(8))
    assert [to for to, _ in sends_to("badperm_yarc({4,2,2})", 64)[17]] == [2, 10, 18, 26, 34, 42, 50, 58]
    around = dict(sends_to("taper64", 64)[0])
    share = Fraction(around[63], sum(around.values()))
    assert share == Fraction(1, 2) * Fraction(1, 9) + Fraction(1, 2) * Fraction(1, 64)
    assert around[2] * 128 == sum(around.values())


def test_gaps_are_those_of_a_draw_in_every_cycle():
    fields = traffic_fields(configured(MESH | {"injection_rate": "0.25"}), 16)
    assert fields["gaps"].shape == (1, GAP_STEPS)
    assert fields["gaps"][0, :2].tolist() == [2**62 - 1, 7 * 2**60 - 1]
    always = traffic_fields(configured(MESH | {"injection_rate": "1"}), 16)
    assert set(always["gaps"][0].tolist()) == {2**64 - 1}
    never = traffic_fields(configured(MESH | {"injection_rate": "0.0"}), 16)
    assert set(never["rate_of"].ravel().tolist()) == {-1}


def test_gaps_of_bursts_begin_where_a_source_is_on():
    bursts = {
        "injection_process": "on_off",
        "burst_alpha": "0.25",
        "burst_beta": "0.5",
        "injection_rate": "0.25",
    }
    fields = traffic_fields(configured(MESH | bursts), 16)
    first, gaps, tail = fields["gaps"].tolist()
    assert (fields["after"].tolist(), fields["longer"].tolist()) == ([1, 1, 1], [2, 2, 2])
    # On, a source sends with 0.25 * 0.75 / 0.25 = 3/4: at once if it is not turned off, 1/2 * 3/4.
    assert gaps[0] == pytest.approx(3 * 2**61, rel=1e-15)
    # Else it is on with 1/8 and off with 1/2: on then with 1/16 + 1/8.
    assert gaps[1] - gaps[0] == pytest.approx(Fraction(9, 64) * 2**64, rel=1e-15)
    # Half of the sources are on before the first cycle: 1/2 * 1/2 + 1/2 * 1/4 are on in it.
    assert first[0] == pytest.approx(Fraction(3, 8) * Fraction(3, 4) * 2**64, rel=1e-15)
    # All gaps are as long in the mean as the rate wants: a packet every four cycles.
    beyond = (2**64 - gaps[-1]) / 2**64 * (2**64 / (tail[0] + 1) - 1)
    assert sum(2**64 - gap for gap in gaps) / 2**64 + beyond == pytest.approx(3, rel=1e-12)
    others = MESH | {"injection_process": "on_off({-1,0.5,0.75})"} | {"injection_rate": "0.25"}
    assert traffic_fields(configured(others), 16)["gaps"].tolist() == [first, gaps, tail]


def test_a_rate_in_flits_is_divided_by_the_mean_size():
    sizes = {"packet_size": "{{1,5}}", "packet_size_rate": "{{3,1}}", "injection_rate": "0.5"}
    fields = traffic_fields(configured(MESH | sizes | {"injection_rate_uses_flits": "1"}), 16)
    assert fields["gaps"][0, 0] == 2**62 - 1
