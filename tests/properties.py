"""How many examples of a property are tried: those of the profile in conftest.py, or a share of them."""

from hypothesis import settings


def few(share):
    """The settings of a property whose examples take long: this share of the examples of the others."""
    return settings(max_examples=max(1, round(share * settings.default.max_examples)))
