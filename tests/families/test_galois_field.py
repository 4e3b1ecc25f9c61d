"""Finite fields: the axioms, and an independent implementation where it is installed."""

import numpy as np
import pytest

from topoctl.errors import InvalidParameters
from topoctl.families.galois_field import galois_field, prime_power


@pytest.mark.parametrize("q", [q for q in range(2, 257) if prime_power(q)])
def test_field_tables_obey_the_axioms(q):
    field = galois_field(q)
    elements = np.arange(q)
    assert sorted(field.powers.tolist()) == list(range(1, q))
    assert np.array_equal(field.add, field.add.T)
    assert np.array_equal(field.multiply, field.multiply.T)
    assert (field.add[elements, field.negate] == 0).all()
    assert (field.multiply[elements[1:], field.invert[1:]] == 1).all()
    rng = np.random.default_rng(q)
    a, b, c = rng.integers(0, q, (3, 2000))
    assert np.array_equal(
        field.multiply[a, field.add[b, c]], field.add[field.multiply[a, b], field.multiply[a, c]]
    )
    assert np.array_equal(field.multiply[a, field.multiply[b, c]], field.multiply[field.multiply[a, b], c])


@pytest.mark.dev
@pytest.mark.once
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("q", [9, 64])
def test_fields_agree_with_galois(q):
    galois = pytest.importorskip("galois")
    field = galois_field(q)
    p, degree = prime_power(q)
    # Our field is the one of the minimal polynomial of our xi (a prime field has none to choose).
    if degree == 1:
        theirs = galois.GF(q, verify=False, compile="python-calculate")
    else:
        tail = [int(field.powers[degree]) // p**place % p for place in range(degree)]
        coefficients = [1, *(-digit % p for digit in reversed(tail))]
        # The axioms above tell an irreducible polynomial, of which galois would compile a slow test.
        theirs = galois.GF(
            q, irreducible_poly=coefficients, primitive_element="x", verify=False, compile="python-calculate"
        )
    elements = theirs(np.arange(q))
    assert np.array_equal(np.asarray(elements[:, None] * elements[None]), field.multiply)
    assert np.array_equal(np.asarray(elements[:, None] + elements[None]), field.add)


@pytest.mark.parametrize("q", [-3, 0, 1, 6, 12, 100])
def test_other_orders_are_refused(q):
    with pytest.raises(InvalidParameters, match="expected a prime power"):
        galois_field(q)
