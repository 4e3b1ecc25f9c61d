"""Both implementations of the kernels, for tests that run on each."""

import os
import sys
from contextlib import contextmanager
from importlib import import_module, util
from unittest import mock

import pytest

from topoctl.kernels import fallback
from topoctl.kernels.backend import VARIABLE, backend

NATIVE = import_module("topoctl.kernels._native") if util.find_spec("topoctl.kernels._native") else None
BACKENDS = {"numpy": fallback} | ({"native": NATIVE} if NATIVE else {})

needs_native = pytest.mark.skipif(NATIVE is None, reason="the compiled kernels are not installed")
EACH = ["numpy", pytest.param("native", marks=needs_native)]
THOROUGHLY_EACH = [pytest.param("numpy", marks=[pytest.mark.thorough] if NATIVE else []), EACH[1]]
"""Where the numpy kernels are slow, and a test compares them with the compiled ones step by step."""


@contextmanager
def only(name):
    """Let one of the backends run, whichever the environment asks for."""
    with mock.patch.dict(os.environ, {VARIABLE: name}):
        backend.cache_clear()
        try:
            yield
        finally:
            backend.cache_clear()


def on(name, kernel, *arguments, **options):
    """Call a public function on one of the backends."""
    module = sys.modules[kernel.__module__]
    with mock.patch.object(module, "backend", return_value=BACKENDS[name]):
        return kernel(*arguments, **options)
