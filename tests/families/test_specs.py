"""Specs: what is accepted, and the one clear line for everything else."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import call, document
from topoctl.errors import Infeasible, InvalidParameters
from topoctl.families import FAMILIES, topology_from_spec
from topoctl.families.random_links import random_links
from topoctl.families.spec import write_value
from topoctl.graph import Graph

WRONG = [
    ("slimfly(q=6)", r"q=6: expected a prime power"),
    ("slimfly(q=2)", r"q=2: expected 3\.\.2147483647"),
    ("slimfly(q=10)", r"q=10: expected a prime power"),
    ("slimfly(q=5,p=-1)", r"p=-1: expected 0\.\."),
    ("slimfly(q=5,fil=2)", r"unknown parameter .fil.; did you mean fill\?"),
    (
        "slimfly(q=5,oversubscription=2)",
        r"unknown parameter .oversubscription.; expected one of q, p, fill, seed",
    ),
    ("slimfly(q=5,q=7)", r"q is given twice"),
    ("slimfly(q=five)", r"q=.five.: expected an integer"),
    ("slimfly(p=4)", r"q is missing"),
    ("slimfly(p=4,5)", r"found '5', expected slimfly\(q=\.\.\."),
    ("slimfly(5,4,0,0,0)", r"found '0', expected slimfly\(q=\.\.\."),
    ("slimfly(5,,3)", r"found '', expected slimfly\(q=\.\.\."),
    ("slimfly(5,q=7)", r"q is given twice"),
    ("torus(4,4,4)", r"expected sizes joined by x, 'torus\(4x4x4\)', or torus\(dims=\.\.\., p=\.\.\.\)"),
    ("slimfly(q=5", r"expected slimfly\(q=\.\.\."),
    ("slimfly(q=5,fill=43)", r"fill=43: expected at most 42"),
    ("slimfly(q=9973)", r"198921458 routers .* need .* GiB: expected at most"),
    ("flex(nx=6,ny=6,nz=1)", r"nz=1: expected 2\.\."),
    ("flex(nx=6,ny=6)", r"nz is missing: expected layers"),
    ("bdf(u=4)", r"u=4: expected an odd prime power"),
    ("delorme(v=6)", r"v=6: expected a prime power"),
    ("polarfly(q=6)", r"q=6: expected a prime power"),
    ("tct(n=0,k=3)", r"n=0: expected 1\.\.31"),
    ("tct(n=31,k=2147483647)", r"expected at most"),
    ("hypercube(n=31)", r"expected at most"),
    ("dragonfly(a=8,h=4,g=34)", r"g=34: expected 5\.\.33"),
    ("dragonfly(a=8,h=4,g=4)", r"g=4: expected 5\.\.33"),
    ("dragonfly(a=8,h=4,arrangement=random)", r"expected palmtree or consecutive or circulant"),
    ("slimdragonfly(q=6,h=1)", r"q=6: expected a prime power"),
    ("slimdragonfly(q=3,h=2,g=38)", r"slimdragonfly: g=38: expected 3\.\.37"),
    ("hyperx(dims=4x4,multiplicity=2)", r"multiplicity=2: expected 1\.\.1, parallel links"),
    ("hyperx(dims=4*4)", r"expected sizes such as 4x4x3"),
    ("torus(dims=4x0)", r"dims=4x0: expected 1\.\."),
    ("fattree(k=5)", r"k=5: expected an even number"),
    ("jellyfish(n=9,r=3)", r"n=9, r=3: expected 3\.\.8"),
    ("jellyfish(n=9,r=9)", r"expected 3\.\.8"),
    ("dln(n=9,y=1)", r"an even product"),
    ("longhop(n=2,hops=3)", r"expected fewer long hops"),
    (f"torus(dims={'1x' * 40}1)", r"41 sizes: expected at most 32"),
    (f"torus(dims={'9' * 5000})", r"expected sizes such as 4x4x3"),
    ("slimflies(q=5)", r"did you mean slimfly"),
    ("slim-flies(5)", r"did you mean slimfly"),
    ("nosuch(q=5)", r"expected a file, or a spec such as slimfly\(q=5,p=4\); topoctl families lists all"),
    ("dragonfly", r"'dragonfly': expected dragonfly\(p=.*\), such as dragonfly\(p=2,a=4,h=2\)"),
]


@pytest.mark.parametrize(("spec", "reason"), WRONG, ids=[spec for spec, _ in WRONG])
def test_wrong_specs_are_named(spec, reason):
    with pytest.raises(InvalidParameters, match=reason) as caught:
        topology_from_spec(spec)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("equalty(n=14)", r"'equalty\(n=14\)' names no topology: did you mean equality"),
        ("slimflyy", r"'slimflyy' names no topology: did you mean slimfly, as in slimfly\(q=5,p=4\)\?"),
        ("", "'' names no topology: expected a file, or a spec such as"),
        ("x" * 1000, r"x\.\.\.' names no topology"),
    ],
)
def test_unknown_specs_are_explained(text, reason):
    with pytest.raises(InvalidParameters, match=reason):
        topology_from_spec(text)


@given(st.text(alphabet="xyz()[]=,-0123456789 \n"))
def test_what_names_nothing_is_refused_in_one_line(text):
    with pytest.raises(InvalidParameters) as refusal:
        topology_from_spec(text)
    assert "\n" not in str(refusal.value)


def test_values_are_checked_without_a_spec():
    with pytest.raises(InvalidParameters, match="q='five'"):
        FAMILIES["slimfly"].build({"q": "five"})
    with pytest.raises(InvalidParameters, match="did you mean dims"):
        FAMILIES["torus"].build({"dim": (3, 3)})
    with pytest.raises(InvalidParameters, match="dims=3"):
        FAMILIES["torus"].build({"dims": 3})


@pytest.mark.parametrize(
    ("spec", "canonical", "endpoints"),
    [
        ("slimfly(q=19)", "slimfly(q=19,p=15)", 10830),
        ("SlimFly( Q = 5 , P = 7 )", "slimfly(q=5,p=7)", 350),
        ("flex(nx=6,ny=6,nz=3)", "flex(nx=6,ny=6,nz=3,p=10)", 1080),
        ("tct(n=3,k=5)", "tct(n=3,k=5)", 750),
        ("dragonfly(a=8,h=4)", "dragonfly(p=4,a=8,h=4,g=33)", 1056),
        ("slimdragonfly(q=3,h=2)", "slimdragonfly(p=2,q=3,h=2,g=37)", 1332),
        ("hyperx(dims=10x10)", "hyperx(dims=10x10,p=10)", 1000),
        ("flatbutterfly(k=4,n=3)", "flatbutterfly(k=4,n=3,p=4)", 64),
        ("fattree(k=16)", "fattree(k=16,p=8)", 1024),
        ("karytree(k=10,n=3)", "karytree(k=10,n=3,p=10)", 1000),
        ("torus(dims=4x4x2)", "torus(dims=4x4x2)", 32),
        ("jellyfish(n=20,r=12)", "jellyfish(n=20,r=12,p=4)", 80),
    ],
)
def test_omitted_values_follow_the_papers(spec, canonical, endpoints):
    topology = topology_from_spec(spec)
    assert topology.spec == canonical
    assert topology.endpoints == endpoints


PLACED = [
    ("torus(4x4x4)", "torus(dims=4x4x4)"),
    ("Torus(4x4, 2)", "torus(dims=4x4,p=2)"),
    ("torus(4)", "torus(dims=4)"),
    ("slimfly(5)", "slimfly(q=5,p=4)"),
    ("slim-fly(5)", "slimfly(q=5,p=4)"),
    ("slim_fly(5,3)", "slimfly(q=5,p=3)"),
    ("Slim Fly ( 5, fill=2 )", "slimfly(q=5,p=4,fill=2)"),
    ("dragonfly(4,8,4)", "dragonfly(p=4,a=8,h=4,g=33)"),
    ("k-ary tree(3, 3)", "karytree(k=3,n=3,p=3)"),
]


@pytest.mark.parametrize(("spec", "canonical"), PLACED)
def test_values_without_keys_are_the_first_parameters(spec, canonical):
    assert topology_from_spec(spec).spec == canonical
    assert document("evaluate", spec)["results"][0]["spec"] == canonical


def test_every_family_takes_its_examples_without_keys():
    for family in FAMILIES.values():
        for example in family.examples if family.name != "equality" else ():
            values = family.parse(example)
            words = [write_value(values[parameter.name]) for parameter in family.parameters]
            lone = family.parameters[0].kind == "sizes" and len(values[family.parameters[0].name]) == 1
            if not lone:
                assert family.parse(f"{family.name}({','.join(words)})") == values


def test_names_of_families_may_have_marks_and_misspellings_are_answered():
    for name in ("fattree", "fat_tree", "Fat-Tree"):
        assert document("families", name)["results"][0]["name"] == "fattree"
        assert "fattree(k=4,p=2)" in call("enumerate", name, "--order", "20").stdout
    assert "did you mean fattree?" in call("families", "fatree", code=2).stderr


def test_balanced_slim_fly_counts_of_the_paper():
    """SC14, VII-A: eleven balanced Slim Flies up to 20,000 endpoints, and q = 3 with 54."""
    family = FAMILIES["slimfly"]
    endpoints = []
    for q in range(3, 40):
        try:
            parameters = family.parse(f"slimfly(q={q})")
        except InvalidParameters:
            continue
        endpoints.append(parameters["p"] * family.claims(parameters).order)
    assert len([count for count in endpoints if count <= 20_000]) == 12
    assert endpoints[0] == 54


def test_too_many_random_links_are_infeasible():
    """Two routers with two free ports each: a simple graph holds one link between them."""
    no_links = np.empty((0, 2), dtype=np.int32)
    with pytest.raises(Infeasible, match="expected fewer links"):
        random_links(2, np.array([2, 2]), no_links, np.random.PCG64(0))


@pytest.mark.parametrize(
    "spec",
    [
        "dln(n=5,y=2)",
        "dln(n=10,y=7,seed=5)",
        "slimfly(q=4,fill=25)",
        "slimfly(q=5,fill=42)",
        "slimfly(q=5,fill=41)",
        pytest.param("slimfly(q=7,fill=84,seed=1)", marks=pytest.mark.thorough),
    ],
)
def test_random_links_fill_all_ports_of_nearly_complete_graphs(spec):
    graph = topology_from_spec(spec).graph
    assert graph.order - graph.network_radix in (1, 2, 3)
    assert (graph.degrees == graph.network_radix).all()


@given(st.integers(4, 9), st.integers(0, 2**32), st.integers(0, 100))
def test_random_links_are_found_where_there_are_some(order, seed, percent):
    """Free ports that some graph fills, given links that it does not have: another such graph is found."""
    draws = np.random.default_rng(seed)
    everything = np.argwhere(np.triu(np.ones((order, order), dtype=bool), 1)).astype(np.int32)
    share = draws.random(len(everything))
    taken, wanted = everything[share < percent / 100 / 2], everything[share >= percent / 100]
    ports = np.bincount(wanted.reshape(-1), minlength=order)
    found = random_links(order, ports, taken, np.random.PCG64(seed))
    assert np.array_equal(np.bincount(found.reshape(-1), minlength=order), ports)
    Graph.from_links(order, np.concatenate([found, taken]))  # refuses a link given twice


def test_rounds_that_can_exchange_nothing_are_passed_over_to_the_same_end(monkeypatch):
    def ends(seed):
        words = np.random.PCG64(seed)
        found = random_links(6, np.full(6, 5), np.empty((0, 2), dtype=np.int32), words)
        return found.tolist(), words.random_raw()

    passed = [ends(seed) for seed in range(3)]
    monkeypatch.setattr("topoctl.families.random_links.IDLE", 10_000)
    assert [ends(seed) for seed in range(3)] == passed


def test_random_networks_depend_on_the_seed_alone():
    first, same, other = (topology_from_spec(f"jellyfish(n=30,r=4,seed={seed})").graph for seed in (1, 1, 2))
    assert np.array_equal(first.neighbors, same.neighbors)
    assert not np.array_equal(first.neighbors, other.neighbors)
