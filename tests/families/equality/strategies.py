"""Random Equality networks, and requests for searches of them."""

from hypothesis import reject
from hypothesis import strategies as st

from topoctl.errors import TopoctlError
from topoctl.families.equality.network import Equality
from topoctl.search.populations.equality_request import EqualityRequest


@st.composite
def networks(draw, largest=60):
    half = draw(st.integers(2, largest // 2))
    odd = draw(st.sets(st.integers(0, half - 1), max_size=8)) | {0, half - 1}
    even = draw(st.sets(st.integers(1, half // 2), max_size=4))
    return Equality.from_halves(2 * half, odd, even, draw(st.none() | st.integers(0, 20)))


@st.composite
def requests(draw, largest=60, **values):
    """Requests that some network satisfies, with any part of the hops fixed; -1 and 1 among them or not."""
    order = 2 * draw(st.integers(2, largest // 2))
    radix = draw(st.integers(2, order - 1))
    odd = draw(st.lists(st.sampled_from([-1, *range(1, order - 1, 2)]), unique=True, max_size=6))
    even = draw(st.sampled_from(["free", "counted", "fixed"]))
    if even == "counted":
        values["even_hops"] = draw(st.integers(0, radix // 2))
    elif even == "fixed":
        hops = st.sampled_from(range(2, order // 2 + 1, 2))
        values["fixed_even"] = tuple(draw(st.lists(hops, unique=True, max_size=4)))
    try:
        return EqualityRequest(order=order, network_radix=radix, fixed_odd=tuple(odd), **values)
    except TopoctlError:
        reject()
