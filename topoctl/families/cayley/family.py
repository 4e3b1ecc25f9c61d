"""The family's record: what the registry, the command line and the conformance suite see."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.families.cayley.group import Group
from topoctl.families.cayley.network import Cayley
from topoctl.families.drawing import Drawing, LinkKinds, on_a_circle
from topoctl.families.record import Claims, Parameter
from topoctl.families.spec import ParametricFamily, concentration, write_value
from topoctl.graph import Graph
from topoctl.kernels.semidirect_product import MAX_ORDER, Element
from topoctl.topology import Symmetry, Value


def cayley(s: int, t: int, r: int, x: tuple[Element, ...]) -> Graph:
    """The Cayley network of Z_s by Z_t, (a, b)(c, d) = (a + r^b c, b + d); router (a, b) has index s b + a.

    Akers and Krishnamurthy, IEEE Trans. Computers 38 (1989), 555.

    Args:
        s: order of the normal subgroup.
        t: order of the other; r^t = 1 modulo s.
        r: multiplier, a unit modulo s.
        x: generators (a, b), one of each and its inverse.

    Raises:
        InvalidParameters: s, t and r are no group, or a generator is invalid or given twice.

    Example:
        >>> cayley(7, 3, 2, ((1, 0), (0, 1))).neighbors_of(0).tolist()
        [1, 6, 7, 14]
    """
    return Cayley(Group(s, t, r), x).graph()


def _balanced_concentration(network: Cayley) -> int:
    """The p that balances a network: ceil(k'/D), as for Equality networks.

    Example:
        >>> _balanced_concentration(Cayley(Group(7, 3, 2), ((1, 0), (0, 1))))
        2
    """
    return -(-network.network_radix // max(1, network.diameter))


def _network_of(known: Mapping[str, Any]) -> Cayley:
    """The network of the family's parameters; it reaches all its routers.

    Raises:
        InvalidParameters: the parameters contradict each other.
    """
    try:
        network = Cayley(Group(known["s"], known["t"], known["r"]), known["x"])
        network.diameter  # noqa: B018 - which a network that is not connected lacks
    except InvalidParameters as error:
        raise InvalidParameters(f"cayley: {error}") from None
    return network


def _parameters_of(network: Cayley) -> dict[str, Value]:
    """A network's parameters, but for the concentration."""
    group = network.group
    return {"s": group.s, "t": group.t, "r": group.r, "x": network.generators}


def spec_of(network: Cayley) -> str:
    """The spec of a network, without the concentration where it is not chosen.

    Example:
        >>> spec_of(Cayley(Group(7, 3, 2), ((1, 0), (0, 2))))
        'cayley(s=7,t=3,r=2,x=1:0+0:1)'
    """
    values = _parameters_of(network) | {"p": network.concentration}
    written = (f"{name}={write_value(value)}" for name, value in values.items() if value is not None)
    return f"{CAYLEY.name}({','.join(written)})"


def claims(s: int, t: int, r: int, x: tuple[Element, ...]) -> Claims:
    """Order, radix and size."""
    network = Cayley(Group(s, t, r), x)
    return Claims(network.group.order, network.network_radix, network.size)


def _symmetry(s: int, t: int, r: int, x: tuple[Element, ...]) -> Symmetry:
    """Return the action of the group on itself from the left."""
    return Cayley(Group(s, t, r), x).symmetry()


def drawing(s: int, t: int, r: int, x: tuple[Element, ...]) -> Drawing:  # noqa: ARG001
    """The layers one after the other round a circle, and the links of router 0, which every router has."""

    def kind_of(links: NDArray[np.int64]) -> NDArray[np.int64]:
        between: NDArray[np.int64] = (links[:, 0] // s != links[:, 1] // s).astype(np.int64)
        return between

    return on_a_circle(s * t, LinkKinds(("in a layer", "between layers"), kind_of), marked=0)


CAYLEY = ParametricFamily(
    name="cayley",
    title="Cayley network of a semidirect product",
    source="Akers and Krishnamurthy, IEEE Trans. Comput. 38 (1989), 555; Kitasuka et al., IEICE E101-D 2018",
    definition=(
        "s t routers (a, b), the elements of the group Z_s by Z_t with (a, b)(c, d) = (a + r^b c, b + d). "
        "Router g links to g x and to the product of g and the inverse of x, for every generator x. All "
        "routers see the same network. Equality networks are those of t = 2 and r = -1."
    ),
    closed_forms=("N = s t", "k' = 2|x|, less 1 for every generator that is its own inverse", "N k'/2 links"),
    parameters=(
        Parameter("s", "order of the normal cyclic subgroup", least=1, most=MAX_ORDER),
        Parameter("t", "order of the other: layers of s routers", least=1, most=MAX_ORDER),
        Parameter("r", "what a layer is multiplied by: r^t = 1 modulo s", least=1, most=MAX_ORDER),
        Parameter("x", "generators a:b+a:b+..., one of each and its inverse", kind="pairs"),
        concentration(
            "ceil(k'/D), D the diameter", lambda known: _balanced_concentration(_network_of(known))
        ),
    ),
    examples=(
        "cayley(s=7,t=3,r=2,x=1:0+0:1)",
        "cayley(s=7,t=2,r=6,x=2:0+0:1+1:1+4:1+6:1)",
        "cayley(s=12,t=1,r=1,x=1:0+6:0)",
        "cayley(s=8,t=4,r=3,x=1:0+0:1+0:2,p=2)",
    ),
    graph=cayley,
    claims=claims,
    symmetry=_symmetry,
    drawing=drawing,
    normal=lambda known: dict(known) | _parameters_of(_network_of(known)),
)
