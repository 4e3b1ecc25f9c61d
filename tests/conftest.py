"""Settings of the whole suite."""

import signal

from hypothesis import settings

# How long an example takes depends on the machine; no test here is timed.
settings.register_profile("topoctl", deadline=None)
settings.load_profile("topoctl")

# A job in the background inherits an ignored Ctrl-C, and so would the processes that the tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)
