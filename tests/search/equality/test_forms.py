"""Forms: each shares out exactly the ports that are there, and holds what was asked for."""

from hypothesis import given
from hypothesis import strategies as st

from families.equality.strategies import requests
from topoctl.families.equality.bounds import splits
from topoctl.families.equality.network import Equality
from topoctl.search.draws import Draws
from topoctl.search.equality.forms import forms_of
from topoctl.search.equality.population import founder
from topoctl.search.equality.request import EqualityRequest
from topoctl.search.equality.ruler import wichmann_marks

DIAMETERS = st.integers(2, 4)


def network_radix(form, half):
    """Eq. 1 on halves; a free even half is never N/2."""
    return form.odd_length + 2 * form.even_length - (2 * max(form.fixed_even, default=0) == half)


@given(requests(largest=100), DIAMETERS)
def test_forms_fit_the_request(request, diameter):
    half = request.order // 2
    forms = forms_of(request, diameter)
    assert forms
    for form in forms:
        assert network_radix(form, half) == request.network_radix
        assert {2 * t + 1 for t in form.fixed_odd} == {
            hop % request.order for hop in (-1, 1, *request.fixed_odd)
        }
        assert len(set(form.fixed_odd)) == len(form.fixed_odd) <= form.odd_length <= half
        assert 0 <= form.free_even <= (half - 1) // 2
        assert len(set(form.fixed_even)) == len(form.fixed_even)
        assert not (form.fixed_even and form.free_even) or form.fixed_even == (half // 2,)
        if request.fixed_even is not None:
            assert sorted(2 * b for b in form.fixed_even) == sorted(request.fixed_even)
            assert form.free_even == 0
        if request.even_hops is not None:
            assert form.even_length == request.even_hops


@given(requests(largest=100), DIAMETERS)
def test_a_lift_means_that_the_even_hops_are_the_subgroup_of_its_multiples(request, diameter):
    half = request.order // 2
    for form in forms_of(request, diameter):
        if form.lift:
            multiples = {step % half for b in form.fixed_even for step in (0, b, -b)}
            assert multiples == set(range(0, half, form.lift))
        if form.marks:
            assert form.lift
            assert set(form.marks) <= set(range(form.lift))


@given(requests(largest=100), DIAMETERS)
def test_no_form_comes_twice(request, diameter):
    forms = forms_of(request, diameter)
    kinds = {(form.odd_length, form.fixed_even, form.free_even, form.marks) for form in forms}
    assert len(kinds) == len(forms)


@given(st.integers(2, 12).map(lambda half: 2 * half), st.data())
def test_every_form_of_a_tiny_order_is_a_split_of_its_ports(order, data):
    radix = data.draw(st.integers(2, order - 1))
    possible = {(split.odd, split.even + split.opposite) for split in splits(order, radix)}
    forms = forms_of(EqualityRequest(order=order, network_radix=radix), 2)
    assert {(form.odd_length, form.even_length) for form in forms} <= possible


@given(requests(), DIAMETERS, st.integers(0, 2**32))
def test_founders_are_networks_of_the_request(request, diameter, seed):
    draws = Draws.seeded(seed)
    for form in forms_of(request, diameter):
        individual = founder(form, request.order // 2, draws)
        network = Equality.from_halves(request.order, individual.odd, individual.even)
        assert network.network_radix == request.network_radix
        assert tuple(individual.odd[: len(form.fixed_odd)]) == form.fixed_odd
        assert tuple(individual.even[: len(form.fixed_even)]) == form.fixed_even
        if form.marks:
            assert set(form.marks) <= {t % form.lift for t in individual.odd}


@given(st.integers(0, 2000))
def test_wichmann_marks_measure_every_length(length):
    marks = wichmann_marks(length)
    assert marks[0] == 0
    assert marks == sorted(set(marks))
    measured = {second - first for first in marks for second in marks}
    assert measured >= set(range(length + 1))
    assert length < 13 or len(marks) ** 2 < 3.5 * marks[-1] + 20


@given(st.integers(8, 60), st.integers(2, 4), st.integers(0, 2**32))
def test_marked_forms_bring_one_parity_within_their_diameter(half, radix_share, seed):
    order = 2 * half
    request = EqualityRequest(order=order, network_radix=max(4, half // radix_share))
    for diameter in (2, 3):
        for form in forms_of(request, diameter):
            if not form.marks:
                continue
            odd = founder(form, half, Draws.seeded(seed)).odd
            steps = range(0, half, form.lift)
            if diameter == 2:
                reached = {(t + step) % half for t in odd for step in steps}
            else:
                reached = {(t - u + step) % half for t in odd for u in odd for step in steps}
            assert reached == set(range(half))
