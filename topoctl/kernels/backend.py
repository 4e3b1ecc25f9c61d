"""Which implementation of the kernels runs."""

from __future__ import annotations

import os
import warnings
from functools import cache
from importlib import import_module
from types import ModuleType

from topoctl.errors import InvalidParameters, TopoctlError

VARIABLE = "TOPOCTL_KERNEL"
MOST_THREADS = 4096  # more than any machine has cores; each thread takes memory of its own


@cache
def backend() -> ModuleType:
    """Return the module that holds the kernels: ``_native`` or ``fallback``.

    Raises:
        InvalidParameters: TOPOCTL_KERNEL is neither ``native`` nor ``numpy``.
        TopoctlError: ``native`` is forced and the extension is not installed.
    """
    choice = os.environ.get(VARIABLE, "")
    if choice not in ("", "native", "numpy"):
        raise InvalidParameters(f"{VARIABLE}={choice}: expected native or numpy")
    if choice != "numpy":
        try:
            return import_module("topoctl.kernels._native")
        except ImportError as error:
            if choice == "native":
                raise TopoctlError(
                    f"{VARIABLE}=native, but the extension cannot be loaded: {error}"
                ) from error
            warnings.warn(
                "the compiled kernels are not installed; the numpy kernels run instead, "
                "with the same results, tens to hundreds of times slower",
                RuntimeWarning,
                stacklevel=2,
            )
    return import_module("topoctl.kernels.fallback")


def backend_name() -> str:
    """Return ``native`` or ``numpy``."""
    return "numpy" if backend().__name__.endswith("fallback") else "native"


def thread_count(threads: int | None) -> int:
    """Return the number of threads to use: as requested, or one for every core this process may use."""
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not 1 <= threads <= MOST_THREADS:
        raise InvalidParameters(f"threads {threads}: expected 1..{MOST_THREADS}")
    return threads
