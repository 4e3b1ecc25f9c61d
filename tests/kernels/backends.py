"""Both implementations of the kernels, for tests that run on each."""

import sys
from importlib import import_module, util
from unittest import mock

import pytest

from topoctl.kernels import fallback

NATIVE = import_module("topoctl.kernels._native") if util.find_spec("topoctl.kernels._native") else None
BACKENDS = {"numpy": fallback} | ({"native": NATIVE} if NATIVE else {})

needs_native = pytest.mark.skipif(NATIVE is None, reason="the compiled kernels are not installed")
EACH = ["numpy", pytest.param("native", marks=needs_native)]


def on(name, kernel, *arguments, **options):
    """Call a public function on one of the backends."""
    module = sys.modules[kernel.__module__]
    with mock.patch.object(module, "backend", return_value=BACKENDS[name]):
        return kernel(*arguments, **options)
