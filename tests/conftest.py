"""Settings of the whole suite."""

import os
import signal

import pytest
from hypothesis import settings

from properties import THOROUGH

# How long an example takes depends on the machine; no test here is timed.
settings.register_profile("topoctl", deadline=None, max_examples=25)
# A change is accepted or not for its own sake: CI tries the same examples every time, people new ones.
settings.register_profile("ci", deadline=None, max_examples=25, derandomize=True)
settings.register_profile("sanitized", deadline=None, max_examples=8, derandomize=True)
settings.register_profile("thorough", deadline=None, max_examples=200)
settings.load_profile(os.environ.get("TOPOCTL_EXAMPLES") or ("ci" if os.environ.get("CI") else "topoctl"))

# A job in the background inherits an ignored Ctrl-C, and so would the processes that the tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(config, items):
    """Leave what is marked `thorough` to `.ci/thorough`."""
    if not THOROUGH:
        left = [item for item in items if item.get_closest_marker("thorough")]
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if not item.get_closest_marker("thorough")]


# How wide tables are is a matter of the tests that say so.
os.environ.pop("COLUMNS", None)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The working directory of a test, empty."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
