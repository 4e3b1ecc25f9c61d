"""Plans held against what was wired."""

from __future__ import annotations

from pathlib import Path

from topoctl.runs.checks import check_of
from topoctl.topology import Topology
from topoctl.wiring.checking import Check


def check(plan: Topology | str | Path, found: str | Path) -> Check:
    """Compare what was wired with what was planned: `topoctl check`.

    Args:
        plan: a network as of build or named, or the file or folder of a plan of cables.
        found: the file, or folder, that tells what is wired.

    Returns:
        The check: ``differences``, each with its ``action``, the ``summary``, and ``network``, the routers as
        they are linked.

    Raises:
        FormatError: a file cannot be read.
        InvalidParameters: nothing that was found has a name of the plan.

    Example:
        >>> import tempfile, topoctl
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder) / "cables.csv"
        ...     _ = topoctl.cable("torus(dims=3x3,p=1)", cables=path)
        ...     _ = path.write_text(path.read_text().replace("router 1,R1C1,2,1", "router 1,R1C1,2,9", 1))
        ...     topoctl.check(topoctl.build("torus(dims=3x3,p=1)"), path).summary["moved_ends"]
        1
    """
    return check_of(plan, found)[0]
