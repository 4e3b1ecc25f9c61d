"""How many examples of a property are tried, and which cases of a test are left to `.ci/thorough`."""

import os

import pytest
from hypothesis import settings

THOROUGH = os.environ.get("TOPOCTL_EXAMPLES") == "thorough"


def few(share):
    """The settings of a property whose examples take long: this share of the examples of the others."""
    return settings(max_examples=max(1, round(share * settings.default.max_examples)))


def rest_thorough(cases, chosen):
    """The cases of a test, of which those that are not chosen are left to `.ci/thorough`."""
    return [case if case in chosen else pytest.param(case, marks=pytest.mark.thorough) for case in cases]
