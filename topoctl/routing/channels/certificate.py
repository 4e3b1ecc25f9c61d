"""Virtual channels of routes, and certificates: proofs, for all to check, that packets cannot deadlock."""

from __future__ import annotations

import io
import zipfile
import zlib
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import FormatError
from topoctl.files import replacing
from topoctl.routing.channels.automata import AUTOMATA


@dataclass(frozen=True, eq=False)
class Certificate:
    """A number for every virtual channel of every arc, which rises at every hop that a packet may make.

    Where it does, no cycle of packets can wait for each other's channels (Dally and Seitz, IEEE Trans.
    Comput. C-36(5), 1987). It is made of the dependencies of fixed channels
    (:mod:`~topoctl.routing.channels.dependency_graph`), of channels that increase on the way
    (:mod:`~topoctl.routing.channels.increasing`) and of layers (:mod:`~topoctl.routing.channels.layers`), and
    checked by :func:`topoctl.routing.channels.check_certificate.fault_in`.

    Attributes:
        scheme: how packets choose their channels, one of ``AUTOMATA``.
        table: int32, the data of the scheme for this network; shape (0,) where it needs no data.
        numbers: int32, shape (channels, arcs).
    """

    scheme: str
    table: NDArray[np.int32] = field(repr=False)
    numbers: NDArray[np.int32] = field(repr=False)

    @property
    def count(self) -> int:
        """Virtual channels of every link."""
        return len(self.numbers)

    def write(self, path: str | Path) -> None:
        """Write it as an npz of ``scheme``, ``table`` and ``numbers``.

        Raises:
            OSError: it cannot be written.
        """
        content = io.BytesIO()
        np.savez_compressed(
            content, allow_pickle=False, scheme=np.array(self.scheme), table=self.table, numbers=self.numbers
        )
        with replacing(path) as file:
            file.write(content.getbuffer())

    @classmethod
    def read(cls, path: str | Path) -> Certificate:
        """Read what :meth:`write` wrote.

        Raises:
            FormatError: it is missing, or not such a file.

        Example:
            >>> import tempfile
            >>> none, numbers = np.zeros(0, dtype=np.int32), np.arange(4, dtype=np.int32).reshape(1, 4)
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     Certificate("one", none, numbers).write(f"{folder}/ring.npz")
            ...     Certificate.read(f"{folder}/ring.npz").numbers.tolist()
            [[0, 1, 2, 3]]
        """
        expected = "expected an npz of scheme, table and numbers"
        try:
            with Path(path).open("rb") as file, np.load(file, allow_pickle=False) as archive:
                scheme, table, numbers = (archive[name] for name in ("scheme", "table", "numbers"))
        except OSError as error:
            raise FormatError(path, error.strerror or expected) from None
        except (ValueError, KeyError, IndexError, EOFError, TypeError, zipfile.BadZipFile, zlib.error):
            raise FormatError(path, f"no certificate of virtual channels: {expected}") from None
        if str(scheme) not in AUTOMATA or {table.dtype, numbers.dtype} != {np.dtype(np.int32)}:
            raise FormatError(path, f"no certificate in int32 of a known scheme: {expected}")
        if numbers.ndim != 2:
            raise FormatError(path, f"numbers of shape {numbers.shape}: expected (channels, arcs)")
        return cls(str(scheme), table, numbers)


@dataclass(frozen=True)
class Channels:
    """The virtual channels of routes, and the proof that packets cannot deadlock, or that they can.

    Attributes:
        scheme: name of the scheme.
        count: virtual channels of a link.
        certificate: the proof; None where packets can deadlock.
        cycle: where packets can deadlock, a cycle of channels, each (virtual channel, router, next router),
            in which the packets of each may wait for the next; else None.
    """

    scheme: str
    count: int
    certificate: Certificate | None
    cycle: tuple[tuple[int, int, int], ...] | None = None

    @property
    def deadlock_free(self) -> bool:
        """Whether packets cannot deadlock."""
        return self.certificate is not None
