"""Random Equality networks."""

from hypothesis import strategies as st

from topoctl.families.equality.network import Equality


@st.composite
def networks(draw, largest=60):
    half = draw(st.integers(2, largest // 2))
    odd = draw(st.sets(st.integers(0, half - 1), max_size=8)) | {0, half - 1}
    even = draw(st.sets(st.integers(1, half // 2), max_size=4))
    return Equality.from_halves(2 * half, odd, even, draw(st.none() | st.integers(0, 20)))
