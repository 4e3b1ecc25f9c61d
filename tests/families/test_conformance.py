"""One conformance suite for every family in the registry."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import measure

from topoctl.errors import InvalidParameters
from topoctl.families import FAMILIES, topology_from_spec

EXAMPLES = [(family, spec) for family in FAMILIES.values() for spec in family.examples]
every_example = pytest.mark.parametrize(
    ("family", "spec"), EXAMPLES, ids=[f"{family.name}-{spec}" for family, spec in EXAMPLES]
)


@cache
def built(spec):
    return topology_from_spec(spec)


@cache
def measured(spec):
    return measure(built(spec).graph)


@pytest.mark.parametrize("name", FAMILIES)
def test_record_is_complete(name):
    family = FAMILIES[name]
    assert family.name == name
    assert family.title
    assert family.source
    assert family.definition
    assert family.examples
    names = [parameter.name for parameter in family.parameters]
    assert len(set(names)) == len(names)


@every_example
def test_claims_hold(family, spec):
    claims, graph = family.claims(family.parse(spec)), built(spec).graph
    connected, diameter, distance_sum = measured(spec)
    assert graph.order == claims.order
    assert graph.network_radix == claims.network_radix
    assert claims.size in (None, graph.size)
    assert connected == claims.connected
    assert claims.diameter in (None, diameter)
    assert claims.distance_sum in (None, distance_sum)


@every_example
def test_declared_symmetry_holds(family, spec):
    topology = built(spec)
    if topology.symmetry is not None:
        assert topology.symmetry.holds_for(topology.graph)


@every_example
def test_spec_builds_the_same_topology_again(family, spec):
    topology = built(spec)
    again = topology_from_spec(topology.spec)
    assert again.spec == topology.spec
    assert again.parameters == topology.parameters
    assert again.graph.order == topology.graph.order
    assert (again.graph.links() == topology.graph.links()).all()
    assert (again.endpoints_per_router == topology.endpoints_per_router).all()


@every_example
def test_parameters_are_those_of_the_record(family, spec):
    topology = built(spec)
    assert topology.family == family.name
    assert set(topology.parameters) == {parameter.name for parameter in family.parameters}
    assert topology.concentration >= 1


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("equalty(n=14)", r"'equalty\(n=14\)' names no topology: did you mean equality"),
        ("", "'' names no topology: expected a form such as"),
        ("x" * 1000, r"x\.\.\.' names no topology"),
    ],
)
def test_unknown_specs_are_explained(text, reason):
    with pytest.raises(InvalidParameters, match=reason):
        topology_from_spec(text)


@given(st.text() | st.from_regex(r"[a-z]{1,8}\([a-z]=[0-9]{1,3}\)"))
def test_any_text_is_parsed_or_refused_in_one_line(text):
    refusals = []
    for family in FAMILIES.values():
        try:
            family.parse(text)
        except InvalidParameters as refusal:
            refusals.append(str(refusal))
    assert len(refusals) <= 1  # no text is a wrong spec of two families
    assert "\n" not in "".join(refusals)


@given(st.text(alphabet="xyz()[]=,-0123456789 \n"))
def test_what_names_nothing_is_refused_in_one_line(text):
    with pytest.raises(InvalidParameters) as refusal:
        topology_from_spec(text)
    assert "\n" not in str(refusal.value)
