"""Finite fields: the axioms, which one field of every order obeys, but for the names of its elements."""

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
    assert np.array_equal(field.add[0], elements)
    assert np.array_equal(field.multiply[1], elements)
    rng = np.random.default_rng(q)
    a, b, c = rng.integers(0, q, (3, 2000))
    assert np.array_equal(
        field.multiply[a, field.add[b, c]], field.add[field.multiply[a, b], field.multiply[a, c]]
    )
    for table in (field.add, field.multiply):
        assert np.array_equal(table[a, table[b, c]], table[table[a, b], c])


@pytest.mark.parametrize("q", [-3, 0, 1, 6, 12, 100])
def test_other_orders_are_refused(q):
    with pytest.raises(InvalidParameters, match="expected a prime power"):
        galois_field(q)
