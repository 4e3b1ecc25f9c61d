"""What the stored state of an Equality search is declared to be."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import Damaged
from topoctl.families.equality.network import Equality
from topoctl.search.equality.forms import Form
from topoctl.search.equality.generation import FOUNDERS
from topoctl.search.equality.islands import REACH
from topoctl.search.equality.leaders import EqualityLeader
from topoctl.search.equality.request import EqualityRequest
from topoctl.search.json_shapes import many, number, one_of, record, row, whole
from topoctl.search.protocol import SearchState
from topoctl.search.state_checks import DRAWS, Array, check_state


def check_equality_state(
    state: SearchState, request: EqualityRequest, forms: Sequence[Form], target: int, epochs: int
) -> None:
    """Hold a state against what :meth:`EqualityState.stored` writes; its hop sets are those of their forms.

    Args:
        state: read from a study.
        request: of the search.
        forms: that it tries.
        target: the diameter that it aims at.
        epochs: planned.

    Raises:
        Damaged: an array or a note has not the shape that is declared here.
        InvalidParameters: hop sets that are no Equality network.
    """
    order, half, most = request.order, request.order // 2, request.order * (target + REACH)
    islands, weights = max(len(forms), request.islands), (1, REACH)
    largest = FOUNDERS if state.epoch == 0 else max(FOUNDERS, request.population)
    members = range(1, islands * largest + 1)
    widths = [max(1, *(form.odd_length for form in forms)), max(1, *(form.even_length for form in forms))]
    hops = many(whole(0, half))
    leader = {"order": one_of(order), "odd": hops, "even": hops, "diameter": whole(1, order)}
    check_state(
        state,
        arrays={
            "odd": Array(np.int32, (members, range(1, widths[0] + 1)), 0, half - 1),
            "even": Array(np.int32, (members, range(widths[1] + 1)), 0, half),
            "energy": Array(np.int64, (members, 2), 0, most),
            "sizes": Array(np.int64, (range(1, islands + 1),), 1, largest),
        },
        notes={
            "draws": DRAWS,
            "islands": many(row(whole(0, len(forms) - 1), one_of(*weights))),
            "uphill": many(
                row(*(row(one_of(weight), number(0, most)) for weight in weights)), *[len(forms)] * 2
            ),
            "leaders": many(record({**leader, "reach": whole(1, order**2)}), 1, request.top),
            "exchanges": whole(),
            "scored": whole(),
            "stale": whole(),
            "trace": many(row(whole(), whole(1, order), whole(1, order**2))),
        },
        lacking=("trace",),
    )
    whole(0, epochs)(state.epoch, "epoch")
    for value in state.notes["leaders"]:
        found = EqualityLeader.from_json(value)
        radix = Equality.from_halves(order, found.odd, found.even).network_radix
        if radix != request.network_radix:
            raise Damaged(f"a leader has {radix} links a router; expected {request.network_radix}")
    _check_members(state, forms, half)


def _check_members(state: SearchState, forms: Sequence[Form], half: int) -> None:
    """Every member of an island must have the lengths and the fixed hops of the island's form."""
    islands, sizes = state.notes["islands"], state.arrays["sizes"].tolist()
    tables = [state.arrays[name] for name in ("odd", "even")]
    count = len(state.arrays["energy"])
    if len(islands) != len(sizes) or {sum(sizes), count} != {len(table) for table in tables}:
        raise Damaged(f"{len(islands)} islands of {sizes} members do not fit the arrays of {count}")
    if state.epoch == 0 and [form for form, _ in islands] != [*range(len(forms))]:
        raise Damaged("notes.islands are not one of every form before the first epoch")
    places = np.repeat([form for form, _ in islands], sizes)
    for place, odd, even in zip(places, *tables, strict=True):
        form = forms[place]
        _check_hops(odd, form.fixed_odd, form.odd_length, 0, half - 1)
        _check_hops(even, form.fixed_even, form.even_length, 1, (half - 1) // 2)


def _check_hops(hops: NDArray[np.int32], fixed: Sequence[int], length: int, least: int, most: int) -> None:
    """Fixed halves first, then free ones of a range, none twice."""
    own = hops[:length].tolist()
    free = own[len(fixed) :]
    if len(own) != length or len({*own}) != length or tuple(own[: len(fixed)]) != tuple(fixed):
        raise Damaged(f"a member has the halves {own}; expected {length}, each once, beginning with {fixed}")
    if free and not least <= min(free) <= max(free) <= most:
        raise Damaged(f"a member has the halves {own}; expected {least}..{most}")
