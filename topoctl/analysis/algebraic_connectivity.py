"""A certified lower bound on the second eigenvalue of a network's Laplacian."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.graph import Graph

MAX_ROUTERS = 8192
"""A dense matrix of so many rows takes half a GiB, and its factorisation some seconds."""
DENSE_ROUTERS = 32
SLACK = (1e-9, 1e-6, 1e-3)
"""How far below the estimate the bound may have to be, in units of the largest degree."""


def algebraic_connectivity_at_least(graph: Graph) -> float:
    """Return a proven lower bound on the second smallest eigenvalue of the Laplacian L; 0 for no bound.

    Lanczos' method estimates the eigenvalue from above, which proves nothing. The proof is a Cholesky
    factorisation: with J the matrix of ones, all eigenvalues of L + J - s I but that of the vector of ones
    are those of L less s, and that one is N - s. So the second eigenvalue is s or more exactly where this
    matrix is positive semidefinite. Its entries are exact in double precision, since s is taken from a coarse
    grid; and where the factorisation of the matrix less c I runs to its end in floating point, the matrix
    itself is certainly positive definite, for c = (N + 2) u tr / (1 - 2 (N + 2) u), u the unit roundoff and
    tr the trace (Rump, BIT 46 (2006), 433-452). Here c is twice that, for factorisations by blocks that
    multiply by reciprocals.

    Args:
        graph: of at most 8192 routers; the bound of a larger graph is 0.

    Example:
        >>> square = Graph.from_links(4, [(0, 1), (1, 2), (2, 3), (3, 0)])
        >>> 2 - 1e-6 < algebraic_connectivity_at_least(square) <= 2
        True
    """
    if not 1 < graph.order <= MAX_ROUTERS:
        return 0.0
    estimate = _estimate_eigenvalue(graph)
    for slack in SLACK:
        least = np.floor((estimate - slack * max(1, graph.network_radix)) * 2**32) / 2**32
        if least > 0 and _is_proven(graph, least):
            return float(least)
    return 0.0


def _estimate_eigenvalue(graph: Graph) -> float:
    """Estimate the second smallest eigenvalue of the Laplacian, without proof."""
    from scipy.sparse.linalg import ArpackNoConvergence, eigsh

    laplacian = _laplacian_of(graph)
    if graph.order <= DENSE_ROUTERS:
        return float(np.linalg.eigvalsh(laplacian.toarray())[1])
    drawn = np.random.PCG64(1).random_raw(graph.order) / 2.0**64
    try:
        found = eigsh(
            laplacian, k=2, which="SA", v0=drawn, tol=1e-10, maxiter=2000, return_eigenvectors=False
        )
    except ArpackNoConvergence:  # the eigenvalue is so small that no bound follows from it
        return 0.0
    return float(max(found))


def _laplacian_of(graph: Graph) -> Any:
    """Degrees on the diagonal, -1 for every link: a scipy.sparse.csr_array of float64, (order, order)."""
    from scipy.sparse import csr_array, diags_array

    ones = np.ones(len(graph.neighbors))
    links = csr_array((ones, graph.neighbors, graph.offsets), shape=(graph.order, graph.order))
    return csr_array(diags_array(graph.degrees.astype(float)) - links)


def _is_proven(graph: Graph, least: float) -> bool:
    """Prove that the second eigenvalue of the Laplacian is at least a number; False where the proof fails."""
    from scipy.linalg import LinAlgError, cholesky

    order = graph.order
    matrix: NDArray[np.float64] = _laplacian_of(graph).toarray(order="F")  # LAPACK's, which it works in
    matrix += 1.0
    diagonal = matrix.diagonal() - least
    roundoff = (order + 2) * np.finfo(np.float64).eps / 2
    margin = 2 * roundoff * float(diagonal.sum()) / (1 - 2 * roundoff)
    np.fill_diagonal(matrix, np.nextafter(diagonal - margin, -np.inf))
    try:
        cholesky(matrix, lower=True, overwrite_a=True, check_finite=False)
    except LinAlgError:
        return False
    return True
