"""Models of prices: what is in a file, and what is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topoctl.definitions import parse
from topoctl.economics.prices import Prices, price_models, prices_named
from topoctl.errors import FormatError, Infeasible, InvalidParameters

OWN = """
gigabits_per_second = 10
[router]
dollars = 100
dollars_per_port = 50
[[cables]]
medium = "electrical"
up_to_metres = 3
dollars_per_gigabit = 1
dollars_per_gigabit_metre = 0.5
[[cables]]
medium = "optical"
up_to_metres = 30
dollars_per_gigabit = 4
dollars_per_gigabit_metre = 0.1
[power]
watts_per_port = 2
"""


def own(folder, text=OWN):
    (folder / "own.toml").write_text(text)
    return prices_named(str(folder / "own.toml"))


def test_a_file_of_ones_own(tmp_path):
    prices = own(tmp_path)
    assert (prices.name, *prices.bought(4)[:3]) == ("own", 4, 300, 8)
    assert prices.media(np.array([1, 3_000_000, 3_000_001])).tolist() == [
        "electrical",
        "electrical",
        "optical",
    ]
    assert prices.dollars(1, 2, 30.0) == 10 * (2 * 4 + 30 * 0.1)
    with pytest.raises(Infeasible, match="prices own: no cable of 31 m; expected at most 30 m"):
        prices.kinds(np.array([31_000_000]))


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("dollars_per_port = 50", "", "router.dollars_per_port: Field required"),
        (
            "dollars_per_port = 50",
            "dollars_per_port = -1",
            "router.dollars_per_port: Input should",
        ),
        ("dollars_per_gigabit = 4", "dollars_per_gigabit = -4", "cables.1.dollars_per_gigabit: Input should"),
        (
            "watts_per_port = 2",
            "watts_per_port = nan",
            "watts_per_port: Input should be a finite",
        ),
        ("watts_per_port = 2", "watts = 2", "power.watts: Extra inputs are not permitted"),
        (
            "up_to_metres = 30",
            "up_to_metres = 3",
            r"toml: cables: up_to_metres \[3.0, 3.0\]: expected each above the one",
        ),
        ("up_to_metres = 3\n", "", "only the last kind may be without up_to_metres"),
        ("up_to_metres = 3\n", "up_to_metres = 0\n", "cables.0.up_to_metres: Input should be greater than 0"),
        ('"optical"', '"glass"', "cables.1.medium: Input should be 'electrical' or 'optical'"),
        ("gigabits_per_second = 10", "", "gigabits_per_second: Field required"),
        ("dollars_per_port = 50", "dollars_per_port = true", "router.dollars_per_port: expected a number"),
        ("dollars_per_port = 50", 'dollars_per_port = "50"', "router.dollars_per_port: expected a number"),
        ("dollars_per_port = 50", "dollars_per_port = 1e300", "dollars_per_port: Input should be less than"),
        ("[power]", "[power", "not TOML"),
    ],
)
def test_a_wrong_file_is_refused_in_a_line(tmp_path, old, new, reason):
    assert old in OWN
    with pytest.raises(FormatError, match=reason) as found:
        own(tmp_path, OWN.replace(old, new))
    assert "\n" not in str(found.value)
    assert str(found.value).startswith(str(tmp_path / "own.toml"))


def test_missing_files_and_unknown_presets_are_refused(tmp_path):
    with pytest.raises(FormatError, match="no such file"):
        prices_named(str(tmp_path / "none.toml"))
    with pytest.raises(InvalidParameters, match="prices 'fdr11' is unknown; did you mean fdr10"):
        prices_named("fdr11")


MODELS = st.dictionaries(
    st.integers(1, 70),
    st.tuples(st.none() | st.floats(0, 1e5), st.none() | st.floats(0, 1e3)),
    min_size=1,
    max_size=6,
)


def sold(models):
    """Lines of a file of prices."""
    lines = []
    for ports, (dollars, watts) in models.items():
        lines += ["[[sold]]", f"ports = {ports}"]
        lines += [f"dollars = {dollars!r}"] if dollars is not None else []
        lines += [f"watts = {watts!r}"] if watts is not None else []
    return "\n".join(lines)


@given(MODELS, st.integers(1, 80))
def test_a_router_is_bought_as_the_smallest_model_with_enough_ports(models, ports):
    prices = parse("prices", "own", OWN + sold(models), Prices)
    enough = [one for one in models if one >= ports]
    if not enough:
        with pytest.raises(InvalidParameters, match=f"no router of {ports} ports is sold; expected at most"):
            prices.bought(ports)
        return
    dollars, watts = models[min(enough)]
    assert prices.bought(ports) == (
        min(enough),
        100 + 50 * min(enough) if dollars is None else dollars,
        2 * min(enough) if watts is None else watts,
        0,
    )
    again = prices.with_sold([min(enough), 100])
    assert again.bought(ports) == prices.bought(ports)
    assert again.bought(90)[:3] == (100, 100 + 50 * 100, 200)


def test_prices_of_models_alone_need_no_line(tmp_path):
    alone = OWN.replace("[router]\ndollars = 100\ndollars_per_port = 50\n", "")
    alone = alone.replace("[power]\nwatts_per_port = 2\n", "")
    prices = own(tmp_path, alone + sold({24: (900, 80.5), 36: (1500, 120)}))
    assert prices.bought(20)[:3] == (24, 900, 80.5)
    with pytest.raises(InvalidParameters, match="--sold 24,48: router: expected it, or dollars"):
        prices.with_sold([24, 48])
    for models, reason in {
        "": "router: Field required",
        sold({24: (900, 80), 36: (None, 120)}): "router: expected it, or dollars of the model of 36 ports",
        sold({24: (900, None)}): "power: expected it, or watts of the model of 24 ports",
        sold({24: (900, 80)}) * 2: "sold: expected one model of 24 ports",
        sold({0: (900, 80)}): "sold.0.ports: Input should be greater than or equal to 1",
        sold({24: (-1, 80)}): "sold.0.dollars: Input should be greater than or equal to 0",
        "[[sold]]\nports = 24.5\ndollars = 9\nwatts = 9": "sold.0.ports: Input should be a valid integer",
    }.items():
        with pytest.raises(FormatError, match=reason) as found:
            own(tmp_path, alone + models.replace("[[sold]]", "\n[[sold]]"))
        assert "\n" not in str(found.value)


@pytest.mark.parametrize("prices", price_models().values(), ids=price_models())
def test_every_preset_says_where_it_is_from(prices: Prices):
    assert prices.title
    assert prices.source


def test_another_threshold_between_electrical_and_optical():
    assert prices_named("qdr").with_threshold(2).media(np.array([2_000_001])).tolist() == ["optical"]
    with pytest.raises(InvalidParameters, match="prices edr: no one threshold"):
        prices_named("edr").with_threshold(2)
    with pytest.raises(InvalidParameters, match=r"electrical cables up to -1 m: cables\.0\.up_to_metres"):
        prices_named("fdr10").with_threshold(-1)
