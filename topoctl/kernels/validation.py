"""Checks that arrays pass before they enter a kernel."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters


def check_array(name: str, array: NDArray[Any], dtype: type[np.generic], dimensions: int = 1) -> None:
    """Require a C-contiguous array of this dtype and number of dimensions.

    Raises:
        InvalidParameters: it is not one.

    Example:
        >>> check_array("hops", np.zeros(3, dtype=np.int64), np.int32)
        Traceback (most recent call last):
        topoctl.errors.InvalidParameters: hops: int64 of shape (3,), expected 1-dimensional C-contiguous int32
    """
    if (
        not isinstance(array, np.ndarray)
        or array.dtype != dtype
        or array.ndim != dimensions
        or not array.flags.c_contiguous
    ):
        found = (
            f"{array.dtype} of shape {array.shape}" if isinstance(array, np.ndarray) else type(array).__name__
        )
        raise InvalidParameters(
            f"{name}: {found}, expected {dimensions}-dimensional C-contiguous {np.dtype(dtype)}"
        )


def check_range(name: str, array: NDArray[Any], stop: int) -> None:
    """Require every value of an array of signed integers to be in 0..stop-1.

    Raises:
        InvalidParameters: a value lies outside.
    """
    # One pass over numbers without a sign, where those below zero are the largest.
    if len(array) and array.view(f"u{array.itemsize}").max() >= stop:
        outside = array[(array < 0) | (array >= stop)][0]
        raise InvalidParameters(f"{name}: value {outside}, expected 0..{stop - 1}")


def check_links(offsets: NDArray[np.int32], neighbors: NDArray[np.int32]) -> None:
    """Require compressed sparse rows: offsets from 0 ascending to len(neighbors), neighbours in range.

    That every link is there from both its ends, as :class:`topoctl.graph.Graph` guarantees, is not checked.

    Raises:
        InvalidParameters: the arrays do not describe a graph.
    """
    check_array("offsets", offsets, np.int32)
    check_array("neighbors", neighbors, np.int32)
    if len(offsets) < 2 or offsets[0] != 0 or offsets[-1] != len(neighbors):
        raise InvalidParameters(
            f"offsets {offsets[:1].tolist()}..{offsets[-1:].tolist()} of length {len(offsets)}: "
            f"expected at least two, from 0 to the {len(neighbors)} neighbors"
        )
    if (offsets[1:] < offsets[:-1]).any():
        raise InvalidParameters("offsets descend: expected ascending values")
    check_range("neighbors", neighbors, len(offsets) - 1)
