"""Which engine a command line means."""

from __future__ import annotations

from topoctl.cli.options import Settings
from topoctl.engine.local import Local
from topoctl.engine.protocol import Engine
from topoctl.kernels.backend import thread_count


def engine_of(settings: Settings) -> Engine:
    """The engine of the settings, a context manager: this process, or the cluster that --cluster names."""
    return Local(thread_count(settings.workers))
