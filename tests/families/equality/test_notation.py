"""Equality specs: the paper's notation, the paper's print, and what is neither."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from families.equality.strategies import networks
from oracles import table
from topoctl.errors import InvalidParameters
from topoctl.families.equality.notation import parse_equality

PRINTED = {row["id"]: row["configuration"] for row in table("equality_table3_printed.tsv")}
RECOMPUTED = table("equality_table3.tsv")

# Lists without spaces, in which a comma must separate: the K of the row tells that the print meant thousands.
THOUSANDS = {
    "E366": ["12,100"],
    "E367": ["11,900"],
    "E368": ["12,100", "16,100"],
    "E485": ["13,784", "11,284"],
    "E486": ["10,700", "14,500"],
}


@pytest.mark.parametrize("name", sorted(PRINTED.keys() - THOUSANDS.keys() - {"E443"}))
def test_printed_configurations_have_their_declared_radix(name):
    network = parse_equality(PRINTED[name])
    head = PRINTED[name].split()[0].lower().lstrip("n")
    assert head == f"{network.order}k{network.network_radix}p{network.concentration}"


@pytest.mark.parametrize("name", THOUSANDS)
def test_ambiguous_thousands_are_refused_with_advice(name):
    printed = PRINTED[name]
    with pytest.raises(InvalidParameters, match=r"would fit K\d+ otherwise") as refusal:
        parse_equality(printed)
    for number in THOUSANDS[name]:
        plain = number.replace(",", "")
        assert f"{number} as {plain}" in str(refusal.value)
        printed = printed.replace(number, plain)
    assert parse_equality(printed) is not None


@pytest.mark.parametrize("row", RECOMPUTED, ids=lambda row: row["id"])
def test_print_and_recomputed_specs_name_the_same_network(row):
    printed = PRINTED[row["id"]]
    for number in THOUSANDS.get(row["id"], ()):
        printed = printed.replace(number, number.replace(",", ""))
    network, again = parse_equality(row["spec"]), parse_equality(printed)
    assert (again.order, again.odd_hops, again.even_hops) == (
        network.order,
        network.odd_hops,
        network.even_hops,
    )
    assert again.concentration == int(row["p"])


def test_e807_prints_the_hops_of_e804():
    assert parse_equality(PRINTED["E807"]) == parse_equality(PRINTED["E804"])


def test_e443_repeats_a_link():
    with pytest.raises(InvalidParameters, match="odd hops 1 and 801 are the same links modulo 800"):
        parse_equality(PRINTED["E443"])


@given(networks())
def test_specs_are_read_back(network):
    assert parse_equality(network.spec) == network
    assert parse_equality(f"  {network.spec.lower()} ") == network
    assert parse_equality(network.spec.replace(",", ", ").replace("-", "−")) == network


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("n2048k28p8", "no hops follow; expected odd hops in"),
        ("n2048k28 hello", "found 'hello'"),
        ("N14K6[-1,1,3,9](4", "expected odd hops in"),
        ("N14K5[-1,1,3,9](4)", r"K5 is declared, but 4 odd and 1 even hops make K = 6 \(Eq. 1\)$"),
        ("N14K6[-1,1,3,x](4)", "odd hop 'x': expected an integer"),
        ("N14K6[-1,1,3,](4)", "odd hop '': expected an integer"),
        ("N14K6[-1,1,3,9](4.0)", "even hop '4.0': expected an integer"),
        ("N14K6[-1,1,3,٩](4)", "odd hop '٩': expected an integer"),
        (
            "N99999999999999999999K2[-1,1]()",
            "order '99999999999999999999': expected an integer of at most 18",
        ),
        ("N15K2[-1,1]()", "order 15: expected an even number"),
        ("N14K6P99999999999[-1,1,3,9](4)", "concentration 99999999999: expected 0..2147483647"),
        ("n20000k8[-1, 1](3500,7,100, 400)", "would fit K8 .*: write .*: 7,100 as 7100"),
        ("n2048k5[-1, 1,101]( 200)", "would fit K5 otherwise: separate all numbers alike"),
    ],
)
def test_wrong_specs_are_explained(text, reason):
    with pytest.raises(InvalidParameters, match=reason):
        parse_equality(text)


@pytest.mark.parametrize(
    "text",
    ["", "slimfly(q=19,p=15)", "graph.edges", "n256k5.edges", "nk[]()", "[-1,1](4)", "N14[-1,1](4)", "-"],
)
def test_other_texts_are_left_to_others(text):
    assert parse_equality(text) is None


SPEC_LIKE = st.text(alphabet="nNkKpP0123456789,- []()ahopsbBr.:−\n\t", max_size=60).map("n14k6{}".format)


@given(st.text() | SPEC_LIKE)
@example("n14k6" + "(Br " * 20_000)
@example("n14k6 " + " " * 100_000 + "x")
@example("n" + "1" * 100_000)
@example("n14k6[" + "100," * 40_000 + "1001](" + "," * 40_000)
@example("n2000k6[-1, 1, " + "1,100," * 20_000 + "](4)")
def test_any_text_is_read_or_refused(text):
    message = ""
    try:
        network = parse_equality(text)
    except InvalidParameters as error:
        message = str(error)
    else:
        assert network is None or parse_equality(network.spec) == network
    assert "\n" not in message
    assert len(message) < 400
