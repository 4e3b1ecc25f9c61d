"""Checks that arrays pass before they enter a kernel."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters


def check_arrays(**arrays: object) -> None:
    """Require arrays of numpy, whatever they hold.

    Raises:
        InvalidParameters: something else.
    """
    for name, array in arrays.items():
        if not isinstance(array, np.ndarray):
            raise InvalidParameters(f"{name}: {type(array).__name__}, expected a numpy array")


def check_whole(**numbers: object) -> None:
    """Require whole numbers of 64 bits.

    Raises:
        InvalidParameters: something else.

    Example:
        >>> check_whole(half=7.0)
        Traceback (most recent call last):
        topoctl.errors.InvalidParameters: half: 7.0, expected a whole number of 64 bits
    """
    for name, number in numbers.items():
        if not _is_whole(number):
            raise InvalidParameters(f"{name}: {number!r}, expected a whole number of 64 bits")


def _is_whole(number: object) -> bool:
    whole = isinstance(number, int | np.integer) and not isinstance(number, bool)
    return whole and -(2**63) <= number < 2**63  # type: ignore[operator]


def check_record(name: str, record: object, kind: type) -> None:
    """Require a dataclass of this kind, with whole numbers of 64 bits where it declares integers.

    Raises:
        InvalidParameters: something else.
    """
    if not isinstance(record, kind):
        raise InvalidParameters(f"{name}: {type(record).__name__}, expected {kind.__name__}")
    for declared in _declared_whole(kind):
        number = getattr(record, declared)
        if not _is_whole(number):
            check_whole(**{f"{name}: {declared}": number})


@cache
def _declared_whole(kind: type) -> list[str]:
    return [field.name for field in fields(kind) if field.type in ("int", int)]


def check_walkers(walks: object, kind: type) -> None:
    """Require a list of walks of this kind, one for every walker.

    Raises:
        InvalidParameters: something else.
    """
    if not isinstance(walks, list | tuple):
        raise InvalidParameters(f"walks: {type(walks).__name__}, expected a list of {kind.__name__}")
    for number, walk in enumerate(walks):
        check_record(f"walk {number}", walk, kind)


def check_array(
    name: str,
    array: NDArray[Any],
    dtype: np.dtype[Any] | type[np.generic],
    dimensions: int = 1,
    *,
    contiguous: bool = True,
) -> None:
    """Require an array of this dtype and number of dimensions.

    Args:
        name: of the array, for the message.
        array: to be checked.
        dtype: that it must have.
        dimensions: that it must have.
        contiguous: whether it must be C-contiguous, too.

    Raises:
        InvalidParameters: the array is another one, or no array.

    Example:
        >>> check_array("hops", np.zeros(3, dtype=np.int64), np.int32)
        Traceback (most recent call last):
        topoctl.errors.InvalidParameters: hops: int64 of shape (3,), expected 1-dimensional C-contiguous int32
    """
    is_array = isinstance(array, np.ndarray)
    if (
        not is_array
        or array.dtype != dtype
        or array.ndim != dimensions
        or (contiguous and not array.flags.c_contiguous)
    ):
        found = f"{array.dtype} of shape {array.shape}" if is_array else type(array).__name__
        layout = " C-contiguous" if contiguous else ""
        raise InvalidParameters(
            f"{name}: {found}, expected {dimensions}-dimensional{layout} {np.dtype(dtype)}"
        )


def check_shape(
    name: str, array: NDArray[Any], dtype: type[np.generic], shape: tuple[int | None, ...]
) -> None:
    """Require an array of this dtype and shape, as :func:`check_array` does; None stands for any size.

    Raises:
        InvalidParameters: the array is another one, or no array.

    Example:
        >>> check_shape("kinds", np.zeros((2, 3), dtype=np.int8), np.int8, (None, 4))
        Traceback (most recent call last):
        topoctl.errors.InvalidParameters: kinds of shape (2, 3): expected (2, 4)
    """
    check_array(name, array, dtype, len(shape))
    expected = tuple(found if size is None else size for size, found in zip(shape, array.shape, strict=True))
    if array.shape != expected:
        raise InvalidParameters(f"{name} of shape {array.shape}: expected {expected}")


def check_range(name: str, array: NDArray[Any], stop: int) -> None:
    """Require every value of an array of signed integers, int8 to int64 of any shape, to be in 0..stop-1.

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

    Args:
        offsets: int32, shape (order + 1,).
        neighbors: int32, shape (arcs,).

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
    if np.count_nonzero(offsets[1:] < offsets[:-1]):
        raise InvalidParameters("offsets descend: expected ascending values")
    check_range("neighbors", neighbors, len(offsets) - 1)


def check_routes(
    offsets: NDArray[np.int32],
    neighbors: NDArray[np.int32],
    destinations: NDArray[np.int32],
    shares: NDArray[np.float64],
    next_phase: NDArray[np.int8],
) -> None:
    """Require links, and routes over them to some routers, as :func:`topoctl.kernels.carry.carry` takes them.

    Raises:
        InvalidParameters: an array of the wrong dtype, shape or layout, or a value out of range.
    """
    check_links(offsets, neighbors)
    check_array("destinations", destinations, np.int32)
    check_range("destinations", destinations, len(offsets) - 1)
    check_shape("next_phase", next_phase, np.int8, (None, len(neighbors)))
    phases = len(next_phase)
    if not phases:
        raise InvalidParameters(f"next_phase of shape {next_phase.shape}: expected one phase or more")
    check_range("next_phase", next_phase.ravel(), phases)
    check_shape("shares", shares, np.float64, (len(destinations), phases, len(neighbors)))
