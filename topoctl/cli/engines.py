"""Which engine a command line means."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

from topoctl.cli.options import Settings
from topoctl.engine.local import Local
from topoctl.engine.protocol import Engine
from topoctl.kernels.backend import thread_count


def engine_of(settings: Settings) -> Engine:
    """The engine of the settings, a context manager: this process, or the cluster that --cluster names.

    Raises:
        InvalidParameters: --cluster names nothing that there can be, or Dask is not installed.
        FormatError: a scheduler file that is missing, or is none.
        TopoctlError: the scheduler cannot be reached, or none of its workers can be used.
    """
    return (
        Local(thread_count(settings.workers)) if settings.cluster is None else engine_named(settings.cluster)
    )


def cluster_of(settings: Settings) -> AbstractContextManager[Engine | None]:
    """The engine that --cluster names, as :func:`engine_of` makes it; None without the option."""
    return nullcontext() if settings.cluster is None else engine_named(settings.cluster)


def engine_named(cluster: str) -> Engine:
    """The engine of a cluster; Dask's own log is not shown: what is wrong is said in one line."""
    import logging

    from topoctl.engine.cluster import Cluster

    engine = Cluster.named(cluster).engine()
    for name in [name for name in logging.root.manager.loggerDict if name.startswith("distributed")]:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    return engine
