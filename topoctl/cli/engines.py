"""Which engine a command line means."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from topoctl.cli.options import Settings
from topoctl.engine.cluster import engine_on
from topoctl.engine.local import Local
from topoctl.engine.protocol import Engine
from topoctl.kernels.backend import thread_count


@contextmanager
def cluster_of(settings: Settings) -> Iterator[Engine | None]:
    """The engine of the cluster that --cluster names; None without the option.

    Raises:
        InvalidParameters: --cluster names nothing that there can be, or Dask is not installed.
        FormatError: a scheduler file that is missing, or is none.
        TopoctlError: the scheduler cannot be reached, or none of its workers can be used.
    """
    if settings.engine is not None:
        yield settings.engine
        return
    with engine_on(settings.cluster) as engine:
        if engine is not None:
            silence_dask()
        yield engine


@contextmanager
def engine_of(settings: Settings) -> Iterator[Engine]:
    """The engine of the settings: the cluster, as :func:`cluster_of` has it, or else this process."""
    with cluster_of(settings) as engine:
        yield engine or Local(thread_count(settings.workers))


def silence_dask() -> None:
    """Show nothing of Dask's own log: what is wrong is said in one line."""
    import logging

    for name in [name for name in logging.root.manager.loggerDict if name.startswith("distributed")]:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
