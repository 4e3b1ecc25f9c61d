"""``topoctl evaluate --cabinet``: latencies and power of networks with a layout."""

import json

import pytest

from commands import call
from topoctl.analysis import effort

SQUARE = "# layout: grid 2x2\n"
RING = "0 1\n1 3\n3 2\n2 0\n"
FIELDS = ("average_latency_ns", "worst_latency_ns", "power_watts", "electric_cable_percent")


def evaluate(*options, text=SQUARE + RING, code=0):
    return call("evaluate", "-", *options, text=text, code=code)


def row_of(*options, text=SQUARE + RING):
    found = json.loads(evaluate(*options, "--json", text=text).stdout)
    return found["parameters"], found["results"][0]


def test_latencies_and_power_of_a_square():
    parameters, row = row_of("--cabinet", "0.6x2.1", "--overhead", "2.5")
    assert (parameters["cabinet"], parameters["overhead"]) == ([0.6, 2.1], 2.5)
    # Two neighbours, at 5.6 m and 7.1 m; the router across is two cables away.
    near, far, across = 120 + 28, 120 + 35.5, 180 + 63.5
    assert row["average_latency_ns"] == pytest.approx((near + far + across) / 3)
    assert row["worst_latency_ns"] == across
    assert row["electric_cable_percent"] == 50
    assert row["power_watts"] == pytest.approx(4 * (111.54 + 200.4) / 2)


def test_overhead_is_none_by_default():
    parameters, row = row_of("--cabinet", "1x1")
    assert parameters["overhead"] is None
    assert row["worst_latency_ns"] == 180 + 10


def test_the_table_shows_them_only_with_a_cabinet():
    assert "average ns" in evaluate("--cabinet", "1x1").stdout
    assert "average ns" not in evaluate().stdout
    assert not set(FIELDS) & set(row_of()[1])


def test_a_disconnected_network_takes_power_but_has_no_latencies():
    _, row = row_of("--cabinet", "1x1", text=SQUARE + "0 1\n2 3\n")
    assert [row[field] for field in FIELDS] == [None, None, pytest.approx(4 * 111.54), 100]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--cabinet", "0.6"], "expected two numbers with an x between them, such as 0.6x2.1"),
        (["--cabinet", "0.6x-1"], "cabinet_depth -1.0: expected 1 mm to 1000 m"),
        (["--cabinet", "1x1", "--overhead", "nan"], "'nan': expected a decimal number"),
        (["--cabinet", "1x1", "--sources", "2"], "--cabinet measures from all routers"),
        (["--overhead", "1"], "give --cabinet WxD too"),
    ],
)
def test_wrong_options_are_refused(options, reason):
    assert reason in evaluate(*options, code=2).stderr


def test_a_network_without_a_layout_is_refused():
    assert "-: no layout to put cabinets on" in evaluate("--cabinet", "1x1", text=RING, code=2).stderr


def test_a_family_may_say_where_its_routers_stand():
    found = json.loads(
        call("evaluate", "slimfly(q=5)", "--cabinet", "1x1", "--overhead", "1", "--json").stdout
    )
    (row,) = found["results"]
    # Two hops at most: 3 switches, 2 m of overhead a link, and no two of its 5 cabinets are 3 m apart.
    assert 180 + 2 * 10 <= row["worst_latency_ns"] <= 180 + 2 * (10 + 3 * 5)
    assert row["electric_cable_percent"] == 100
    assert "polarfly(q=3): no layout" in call("evaluate", "polarfly(q=3)", "--cabinet", "1x1", code=2).stderr


def test_a_long_measurement_is_refused_unless_asked_for(monkeypatch):
    monkeypatch.setattr(effort, "LATENCY_EFFORT", {"native": 10, "numpy": 10})
    refusal = evaluate("--cabinet", "1x1", code=2).stderr
    assert "leave --cabinet out" in refusal
    assert "--exact" in refusal
    evaluate()
    evaluate("--cabinet", "1x1", "--exact")
