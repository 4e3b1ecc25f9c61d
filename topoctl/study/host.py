"""What machine a run ran on."""

from __future__ import annotations

import os
import platform
from pathlib import Path

from topoctl.kernels.backend import backend_name


def host_facts() -> dict[str, str | int]:
    """Cores, processor, Python and kernel backend."""
    return {
        "cores": os.cpu_count() or 1,
        "processor": processor_name(),
        "system": platform.platform(terse=True),
        "python": platform.python_version(),
        "kernel": backend_name(),
    }


def processor_name() -> str:
    """The processor's model name as Linux tells it, else what Python knows."""
    try:
        with Path("/proc/cpuinfo").open() as lines:
            for line in lines:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
