"""Which engine a command line means."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from topoctl.cli.options import Settings

if TYPE_CHECKING:
    from topoctl.engine.protocol import Engine


@contextmanager
def cluster_of(settings: Settings) -> Iterator[Engine | None]:
    """The engine of the cluster that --cluster names; None without the option.

    Raises:
        InvalidParameters: --cluster names nothing that there can be, or Dask is not installed.
        FormatError: a scheduler file that is missing, or is none.
        TopoctlError: the scheduler cannot be reached, or none of its workers can be used.
    """
    if settings.engine is not None or settings.cluster is None:
        yield settings.engine
        return
    from topoctl.engine.cluster import engine_on

    with engine_on(settings.cluster) as engine:
        silence_dask()
        yield engine


@contextmanager
def engine_of(settings: Settings) -> Iterator[Engine]:
    """The engine of the settings: the cluster, as :func:`cluster_of` has it, or else this process."""
    from topoctl.engine.tasks import Local
    from topoctl.kernels.backend import thread_count

    with cluster_of(settings) as engine:
        yield engine or Local(thread_count(settings.workers))


def silence_dask() -> None:
    """Show nothing of Dask's own log: what is wrong is said in one line."""
    import logging

    for name in [name for name in logging.root.manager.loggerDict if name.startswith("distributed")]:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
