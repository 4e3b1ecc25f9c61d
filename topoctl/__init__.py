"""topoctl: explore the design space of interconnection networks."""

__version__ = "0.1.0"
