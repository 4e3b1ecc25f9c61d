"""The version of this package: the one place that says it, read by every room and by pyproject.toml."""

__version__ = "0.1.0"
