"""Settings of the whole suite."""

from hypothesis import settings

# How long an example takes depends on the machine; no test here is timed.
settings.register_profile("topoctl", deadline=None)
settings.load_profile("topoctl")
