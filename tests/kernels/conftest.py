"""Tests of kernels run on both backends, whichever the environment asks for."""

import pytest

from kernels.backends import EACH, only


@pytest.fixture(params=EACH)
def each_backend(request):
    """Let one of the backends run, then the other."""
    with only(request.param):
        yield
