"""Forms: each shares out exactly the ports that are there, and holds what was asked for."""

from hypothesis import given
from hypothesis import strategies as st

from families.equality.strategies import requests
from topoctl.families.equality.bounds import splits
from topoctl.families.equality.network import Equality
from topoctl.search.draws import Draws
from topoctl.search.populations.equality_forms import forms_of, wichmann_marks
from topoctl.search.populations.equality_request import EqualityRequest

DIAMETERS = st.integers(2, 4)


def network_radix(form, half):
    """Eq. 1 on halves; a free even half is never N/2."""
    odd, even = form.lengths
    return odd + 2 * even - (2 * max(form.fixed[1], default=0) == half)


@given(requests(largest=100), DIAMETERS)
def test_forms_fit_the_request(request, diameter):
    half = request.order // 2
    forms = forms_of(request, diameter)
    assert forms
    for form in forms:
        assert network_radix(form, half) == request.network_radix
        (odd, even), (fixed_odd, fixed_even) = form.lengths, form.fixed
        free_even = even - len(fixed_even)
        assert {2 * t + 1 for t in fixed_odd} == {hop % request.order for hop in (-1, 1, *request.fixed_odd)}
        assert len(set(fixed_odd)) == len(fixed_odd) <= odd <= half
        assert 0 <= free_even <= (half - 1) // 2
        assert len(set(fixed_even)) == len(fixed_even)
        assert not (fixed_even and free_even) or fixed_even == (half // 2,)
        if request.fixed_even is not None:
            assert sorted(2 * b for b in fixed_even) == sorted(request.fixed_even)
            assert free_even == 0
        if request.even_hops is not None:
            assert even == request.even_hops


@given(requests(largest=100), DIAMETERS)
def test_a_modulus_means_that_the_even_hops_are_the_subgroup_of_its_multiples(request, diameter):
    half = request.order // 2
    for form in forms_of(request, diameter):
        if form.modulus:
            multiples = {step % half for b in form.fixed[1] for step in (0, b, -b)}
            assert multiples == set(range(0, half, form.modulus))
        if form.marks:
            assert form.modulus
            assert set(form.marks) <= set(range(form.modulus))


@given(requests(largest=100), DIAMETERS)
def test_no_form_comes_twice(request, diameter):
    forms = forms_of(request, diameter)
    kinds = {(form.lengths, form.fixed, form.marks) for form in forms}
    assert len(kinds) == len(forms)


@given(st.integers(2, 12).map(lambda half: 2 * half), st.data())
def test_every_form_of_a_tiny_order_is_a_split_of_its_ports(order, data):
    radix = data.draw(st.integers(2, order - 1))
    possible = {(split.odd, split.even + split.opposite) for split in splits(order, radix)}
    forms = forms_of(EqualityRequest(order=order, network_radix=radix), 2)
    assert {form.lengths for form in forms} <= possible


@given(requests(), DIAMETERS, st.integers(0, 2**32))
def test_founders_are_networks_of_the_request(request, diameter, seed):
    draws = Draws.seeded(seed)
    for form in forms_of(request, diameter):
        odd, even = form.founder(draws).generators
        network = Equality.from_halves(request.order, odd, even)
        assert network.network_radix == request.network_radix
        assert tuple(odd[: len(form.fixed[0])]) == form.fixed[0]
        assert tuple(even[: len(form.fixed[1])]) == form.fixed[1]
        if form.marks:
            assert set(form.marks) <= {t % form.modulus for t in odd}


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
            odd, _ = form.founder(Draws.seeded(seed)).generators
            steps = range(0, half, form.modulus)
            if diameter == 2:
                reached = {(t + step) % half for t in odd for step in steps}
            else:
                reached = {(t - u + step) % half for t in odd for u in odd for step in steps}
            assert reached == set(range(half))
