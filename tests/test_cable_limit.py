"""Lengths in metres: one definition, in the coordinates of the kernels too."""

import numpy as np
import pytest
from hypothesis import given

from cable_limits import LIMITS, cable, layouts
from topoctl.cable_limit import CableLimit, beyond
from topoctl.errors import InvalidParameters
from topoctl.floor.cabinets import Cabinets
from topoctl.floor.placement import Placement
from topoctl.layout import Layout


@given(layouts(), LIMITS)
def test_cables_are_as_long_as_between_cabinets_and_as_in_the_coordinates_of_the_kernels(layout, limit):
    pairs = np.stack(np.triu_indices(layout.order, 1), axis=1)
    lengths = [cable(layout, limit, *pair) for pair in pairs.tolist()]
    assert limit.lengths(layout, pairs).tolist() == lengths
    cabinets = Cabinets(*limit.cabinet, limit.overhead)
    assert cabinets.cable_millimetres(Placement.on_layout(layout), pairs).tolist() == lengths
    assert cabinets.limit(limit.metres) == limit
    ends = limit.diagonals(layout)[pairs]
    ways = np.abs(ends[:, 0] - ends[:, 1]).max(axis=1)
    assert (ways * limit.unit + limit.ends).tolist() == lengths
    allowed = [length <= limit.millimetres for length in lengths]
    assert (ways <= limit.reach).tolist() == allowed or limit.millimetres < limit.ends
    first = beyond(limit, layout, pairs)
    assert (first[0] if first else len(pairs)) == ([*allowed, False]).index(False)


def test_a_floor_is_not_larger_than_its_coordinates():
    with pytest.raises(InvalidParameters, match="grid 60000x1 of cabinets 99999x100000 mm: expected a floor"):
        CableLimit(10**6, 99999, 100000, 0).diagonals(Layout("grid", 60000, 1))
