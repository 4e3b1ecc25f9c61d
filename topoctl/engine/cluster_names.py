"""The clusters that ``--cluster`` names: workers started here, a scheduler's address, or its file."""

from __future__ import annotations

import json
import re
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from topoctl.errors import FormatError, InvalidParameters, meant, quoted

if TYPE_CHECKING:
    from topoctl.engine.dask import Dask
    from topoctl.engine.protocol import Engine

LOCAL = re.compile(r"local:([0-9]{1,9})")
SCHEDULER = re.compile(r"(?:tcp|tls)://(?:\[[0-9a-fA-F:.]+\]|[^\s:/\[\]]+):(\d{1,5})/?")
MOST_PORT, USUAL_PORT = 65535, 8786
MOST_WORKERS = 1024  # started on this machine: beyond, a typing error is likelier than a wish
EXPECTED = "expected local:WORKERS, tcp://HOST:PORT, tls://HOST:PORT or a scheduler file"
INSTALL = "--cluster needs Dask; install it with: pip install distributed"


@dataclass(frozen=True)
class Cluster:
    """A cluster by its name.

    Attributes:
        name: as it was typed.
        workers: how many are to be started on this machine; 0 where there is a scheduler.
        address: of the scheduler, where there is one.
    """

    name: str
    workers: int = 0
    address: str = ""

    @classmethod
    def named(cls, text: str) -> Cluster:
        """Read the name of a cluster.

        Raises:
            InvalidParameters: the name is invalid.
            FormatError: the scheduler file is missing or invalid.

        Example:
            >>> Cluster.named("local:4").workers, Cluster.named("tcp://node7:8786").address
            (4, 'tcp://node7:8786')
        """
        if text.partition(":")[0] == "local":
            count = LOCAL.fullmatch(text)
            if count is None or not 1 <= int(count[1]) <= MOST_WORKERS:
                raise InvalidParameters(f"--cluster {quoted(text)}: expected local:1..local:{MOST_WORKERS}")
            return cls(text, workers=int(count[1]))
        if "://" in text:
            port = SCHEDULER.fullmatch(text)
            if port is None or not 1 <= int(port[1]) <= MOST_PORT:
                raise InvalidParameters(f"--cluster {quoted(text)}: {EXPECTED}{_meant(text)}")
            return cls(text, address=text.rstrip("/"))
        if not text or (_meant(text) and not Path(text).exists()):
            raise InvalidParameters(f"--cluster {quoted(text)}: {EXPECTED}{_meant(text)}")
        return cls(text, address=_address_in(Path(text)))

    def engine(self) -> Dask:
        """Connect to this cluster's workers; close the engine after use.

        Raises:
            InvalidParameters: Dask is not installed.
            TopoctlError: the scheduler cannot be reached, or its workers cannot be used.
        """
        if find_spec("distributed") is None:
            raise InvalidParameters(INSTALL)
        from topoctl.engine.dask import Dask

        return Dask(self.name, self.address, self.workers)


def engine_on(cluster: str | None) -> AbstractContextManager[Engine | None]:
    """Open the engine of a named cluster as a context manager; None without a name.

    Raises:
        InvalidParameters: the name is invalid, or Dask is not installed.
        FormatError: the scheduler file is missing or invalid.
        TopoctlError: the scheduler cannot be reached, or none of its workers can be used.
    """
    return nullcontext() if cluster is None else closing(Cluster.named(cluster).engine())


def _meant(text: str) -> str:
    """Return the end of a message about a name that is none: the one that was probably meant.

    Example:
        >>> _meant("lcoal:2"), _meant("node7:8786"), _meant("jobs.json")
        ('; did you mean local:2?', '; did you mean tcp://node7:8786?', '')
    """
    word, colon, rest = text.partition(":")
    if not colon:
        return ""
    known = meant(word, ["local", "tcp", "tls"])
    place = rest.strip("/") if known or rest.startswith("//") else text
    port = "" if ":" in place else f":{USUAL_PORT}"
    likely = f"local:{rest}" if known == "local" else f"{known or 'tcp'}://{place}{port}"
    names, most = (LOCAL, MOST_WORKERS) if known == "local" else (SCHEDULER, MOST_PORT)
    number = names.fullmatch(likely)
    return f"; did you mean {likely}?" if number and 1 <= int(number[1]) <= most else ""


def _address_in(path: Path) -> str:
    """Read the scheduler's address from the file that it wrote.

    Raises:
        FormatError: the file is missing or invalid.
    """
    if not path.is_file():
        raise FormatError(path, f"no such scheduler file; {EXPECTED}")
    try:
        found = json.loads(path.read_bytes())["address"]
    except (ValueError, RecursionError, LookupError, TypeError):
        found = None
    if not isinstance(found, str) or "://" not in found:
        raise FormatError(
            path, "no scheduler file: expected the JSON that dask scheduler --scheduler-file writes"
        )
    return found
