"""What the stored state of a search of Cayley networks is declared to be."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from topoctl.errors import Damaged
from topoctl.search.cayley.forms import Form
from topoctl.search.cayley.leaders import CayleyLeader
from topoctl.search.cayley.population import normal
from topoctl.search.cayley.request import CayleyRequest
from topoctl.search.json_shapes import many, record, row, whole
from topoctl.search.protocol import SearchState
from topoctl.search.state_checks import DRAWS, Array, check_state


def check_cayley_state(
    state: SearchState, request: CayleyRequest, forms: Sequence[Form], epochs: int
) -> None:
    """Hold a state against what :meth:`CayleyState.stored` writes; its generators are those of their forms.

    Args:
        state: read from a study.
        request: of the search.
        forms: that it tries.
        epochs: planned.

    Raises:
        Damaged: an array or a note has not the shape that is declared here.
        InvalidParameters: generators that are no Cayley network.
    """
    most = request.orders[-1]
    members = range(1, len(forms) * request.population + 1)
    length = range(max(form.length for form in forms) + 1)
    generator = whole(1, most)
    leader = {"group": row(*[whole(1, most)] * 3), "generators": many(generator)}
    check_state(
        state,
        arrays={
            "generators": Array(np.int32, (members, length), 0, most),
            "members": Array(np.int64, (members, 3), 0, most**2),
        },
        notes={
            "draws": DRAWS,
            "leaders": many(
                record({**leader, "diameter": whole(1, most), "reach": whole(1, most**2)}), 1, request.top
            ),
            "exchanges": whole(),
            "scored": whole(),
            "stale": whole(),
            "trace": many(row(whole(), whole(1, most), whole(1, most**2), whole(1, most))),
        },
    )
    whole(0, epochs)(state.epoch, "epoch")
    groups = {(form.group.s, form.group.t, form.group.r) for form in forms}
    for value in state.notes["leaders"]:
        found = CayleyLeader.from_json(value)
        if found.group not in groups or found.network.network_radix != request.network_radix:
            raise Damaged(
                f"a leader has the group {found.group}; expected one of {len(groups)} and its links"
            )
    _check_members(state, forms)


def _check_members(state: SearchState, forms: Sequence[Form]) -> None:
    """Every member must have the generators of its form."""
    table, members = state.arrays["generators"], state.arrays["members"]
    if len(table) != len(members):
        raise Damaged(f"{len(table)} rows of generators do not fit {len(members)} members")
    for generators, (place, diameter, reach) in zip(table.tolist(), members.tolist(), strict=True):
        if place >= len(forms) or min(diameter, reach) < 1:
            raise Damaged(f"a member has form {place}, diameter {diameter} and reach {reach}")
        form = forms[place]
        own, single = generators[: form.length], {*form.group.involutions}
        whole_set = all(0 < x < form.group.order for x in own) and len({*own}) == len(own) == form.length
        kinds = [x in single for x in own] == [False] * form.pairs + [True] * form.involutions
        if not (whole_set and kinds and normal(form, own) == tuple(own)):
            raise Damaged(
                f"a member has the generators {own}; expected {form.pairs} pairs, {form.involutions} own"
            )
