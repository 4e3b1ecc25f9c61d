"""Tests of kernels run on both backends, whichever the environment asks for."""

import pytest
from kernels.backends import EACH

from topoctl.kernels.backend import VARIABLE, backend


@pytest.fixture(params=EACH)
def each_backend(request, monkeypatch):
    """Let one of the backends run, then the other."""
    monkeypatch.setenv(VARIABLE, request.param)
    backend.cache_clear()
    yield
    backend.cache_clear()
