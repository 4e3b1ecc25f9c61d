"""Models of prices: what is in a file, and what is refused."""

import numpy as np
import pytest

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
    assert (prices.name, prices.router_dollars(4)) == ("own", 300)
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


def test_a_router_that_would_cost_less_than_nothing_is_refused():
    with pytest.raises(InvalidParameters, match=r"a router of 2 ports would cost -191\.50 \$"):
        prices_named("fdr10").router_dollars(2)
    assert prices_named("fdr10").router_dollars(3) > 0


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
