"""Slim Fly (MMS graphs): diameter 2, close to the Moore bound."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.families.drawing import Drawing, LinkKinds, circle
from topoctl.families.galois_field import GaloisField, galois_field, prime_power
from topoctl.families.instances import axes
from topoctl.families.product_links import grid_of, joined, permutation
from topoctl.families.random_links import with_random_links
from topoctl.families.record import Claims, Parameter
from topoctl.families.spec import ParametricFamily, concentration
from topoctl.floor.placement import Placement
from topoctl.graph import Graph
from topoctl.topology import Symmetry


def slim_fly(q: int, fill: int = 0, seed: int = 0) -> Graph:
    """McKay-Miller-Siran graph over GF(q). Router (s, a, b) has index s*q^2 + a*q + b.

    (0, x, y) and (0, x, y') are linked where y - y' is in X; (1, m, c) and (1, m, c') where c - c' is in X';
    (0, x, y) and (1, m, c) where y = m x + c. Besta & Hoefler, SC14, eqs. 1-3; Hafner, JCTB 90 (2004).

    Args:
        q: prime power, q = 4w + delta, delta in {-1, 0, 1}.
        fill: random links added to every router, for ports that would stay empty (SC14, VII-A).
        seed: of the random links.

    Returns:
        Graph of order 2q^2, network radix (3q - delta)/2 + fill, diameter 2.

    Raises:
        InvalidParameters: q is not a prime power, or q = 2 (mod 4), or there is no room for `fill` links.

    Example:
        >>> slim_fly(5).order, slim_fly(5).network_radix
        (50, 7)
    """
    remainder(q)
    field = galois_field(q)
    grid = grid_of((2, q, q))
    elements = np.arange(q, dtype=np.int32)
    parts = []
    for half, generators in enumerate(generator_sets(field)):
        partner = field.add[elements[:, None], generators]
        low = np.broadcast_to(elements[:, None], partner.shape)[elements[:, None] < partner]
        high = partner[elements[:, None] < partner]
        parts.append(joined(grid[half][:, low], grid[half][:, high]))
    x, m, c = elements[:, None, None], elements[:, None], elements
    parts.append(joined(grid[0][x, field.add[field.multiply[x, m], c]], grid[1][m, c][None]))
    routers = Graph.from_links(2 * q * q, np.concatenate(parts))
    return with_random_links(routers, fill, seed)


def remainder(q: int) -> int:
    """The delta of q = 4w + delta.

    Raises:
        InvalidParameters: q is not a prime power, or q = 2 (mod 4).

    Example:
        >>> [remainder(q) for q in (3, 4, 5, 7)]
        [-1, 0, 1, -1]
    """
    if prime_power(q) is None or q % 4 == 2:
        raise InvalidParameters(
            f"slimfly: q={q}: expected a prime power 4w-1, 4w or 4w+1, such as 3, 4, 5, 7, 8, 9, 11, 13"
        )
    return {3: -1, 0: 0, 1: 1}[q % 4]


def generator_sets(field: GaloisField) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The sets X and X' of Hafner, section 2; both hold the negative of each member.

    Returns:
        Field elements, int32, each of shape ((q - delta) / 2,).

    Example:
        >>> [sorted(chosen.tolist()) for chosen in generator_sets(galois_field(5))]
        [[1, 4], [2, 3]]
    """
    q, delta = field.q, remainder(field.q)
    w = (q - delta) // 4
    if delta == -1:
        chosen = [*range(0, 2 * w - 1, 2), *range(2 * w - 1, 4 * w - 2, 2)]
    else:
        chosen = list(range(0, q - 1, 2))
    exponents = np.array(chosen)
    return field.powers[exponents], field.powers[(exponents + 1) % (q - 1)]


def _claims(q: int, fill: int, seed: int) -> Claims:  # noqa: ARG001 - all structural parameters come by name
    """Closed forms of SC14, II-B and III-A; the ASPL is 2 - k'/(order - 1) as the diameter is 2."""
    order, radix = 2 * q * q, (3 * q - remainder(q)) // 2
    if fill > order - 1 - radix:
        raise InvalidParameters(f"slimfly: fill={fill}: expected at most {order - 1 - radix} for q={q}")
    size = order * (radix + fill) // 2
    complete = radix + fill == order - 1
    return Claims(
        order=order,
        network_radix=radix + fill,
        size=size,
        diameter=1 if complete else 2,
        distance_sum=order * (order - 1) - size,
    )


def _symmetry(q: int, fill: int, seed: int) -> Symmetry | None:  # noqa: ARG001
    """Automorphisms that carry each half onto itself, and for delta = 1 the exchange of the halves.

    Over all a, b: (x, y) -> (x, y + b) with (m, c) -> (m, c + b); (x, y) -> (x + a, y) with
    (m, c) -> (m, c - m a); (x, y) -> (x, y + a x) with (m, c) -> (m + a, c). For delta = 1, xi X = X' and
    xi X' = X, so (0, x, y) -> (1, x, xi y) with (1, m, c) -> (0, -xi m, xi c) exchanges the halves.
    """
    if fill:
        return None
    field = galois_field(q)
    grid = grid_of((2, q, q))
    first, second = np.arange(q)[:, None], np.arange(q)[None]
    generators = []
    for a in field.basis:
        images = (
            ((first, field.add[second, a]), (first, field.add[second, a])),
            (
                (field.add[first, a], second),
                (first, field.add[second, field.negate[field.multiply[first, a]]]),
            ),
            ((first, field.add[second, field.multiply[first, a]]), (field.add[first, a], second)),
        )
        generators += [permutation(grid, np.stack([grid[0][here], grid[1][there]])) for here, there in images]
    if remainder(q) == 1:
        xi = field.powers[1]
        points = grid[1][first, field.multiply[second, xi]]
        lines = grid[0][field.negate[field.multiply[first, xi]], field.multiply[second, xi]]
        generators.append(permutation(grid, np.stack([points, lines])))
    return Symmetry(tuple(generators))


def _placement(q: int, fill: int, seed: int) -> Placement:  # noqa: ARG001
    """The two groups of the same number, (0, x, .) and (1, x, .), in cabinet x: q cabinets of 2q routers.

    Every two cabinets are joined by 2q links of the MMS graph (SC14, VI-A, who have it for primes q).
    """
    group = np.arange(2 * q * q) // q % q
    return Placement.in_a_square(group, q)


def _drawing(q: int, fill: int, seed: int) -> Drawing:  # noqa: ARG001
    """The q groups of either half in a row, the halves face to face."""
    group_of = np.arange(2 * q * q, dtype=np.int32) // q
    width = float(np.ptp(circle(q), axis=0).max())
    step = width + 1.5
    across, half = group_of % q * step, group_of // q * 0.55 * q * step
    positions = np.tile(circle(q), (2 * q, 1)) + np.stack([across, half], axis=1)

    def kind_of(links: NDArray[np.int64]) -> NDArray[np.int64]:
        tails, heads = group_of[links.T]
        return np.where(tails == heads, 0, np.where(tails // q != heads // q, 1, 2))

    names = ("in a group", "between the halves", "within a half")
    return Drawing(positions, group_of, LinkKinds(names, kind_of), shaded=True)


SLIM_FLY = ParametricFamily(
    name="slimfly",
    title="Slim Fly (MMS graphs)",
    source="Besta and Hoefler, SC14, II-B; Hafner, Journal of Combinatorial Theory B 90 (2004)",
    definition=(
        "2q^2 routers in two halves of q groups of q, for a prime power q = 4w + delta, delta in {-1, 0, 1}. "
        "Routers of a group are linked by the generator sets X and X'; router (0, x, y) and router (1, m, c) "
        "are linked where y = m x + c in GF(q). Every two routers are at most two hops apart, with 8/9 of "
        "the Moore bound's order. Ports that stay empty may take random links (fill)."
    ),
    closed_forms=(
        "N = 2q^2",
        "k' = (3q - delta)/2 + fill",
        "N k'/2 links",
        "D = 2",
        "ASPL = 2 - k'/(N - 1)",
    ),
    parameters=(
        Parameter("q", "prime power that is not 2 (mod 4)", least=3),
        concentration(
            "balanced: ceil(k'/2) for the MMS graph's k' (SC14, II-B2)",
            lambda known: ((3 * known["q"] - remainder(known["q"])) // 2 + 1) // 2,
        ),
        Parameter("fill", "random links added to every router", "0", omitted=0),
        Parameter("seed", "seed of the random links", "0", omitted=0),
    ),
    examples=(
        "slimfly(q=5,p=4)",
        "slimfly(q=3)",
        "slimfly(q=4)",
        "slimfly(q=7,p=8)",
        "slimfly(q=8)",
        "slimfly(q=9)",
        "slimfly(q=5,p=4,fill=3,seed=7)",
    ),
    graph=slim_fly,
    claims=_claims,
    symmetry=_symmetry,
    lattice=axes(q=3),
    balanced=lambda known: known["fill"] == 0,
    placement=_placement,
    drawing=_drawing,
)
