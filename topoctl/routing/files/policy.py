"""Layers by destination as OpenSM's QoS policy (``opensm -Q -Y FILE``): a service level for every adapter.

OpenSM answers whoever asks for the path to an adapter with the service level of the rule that names it, and
by default service level i is virtual lane i. GUIDs are those of :mod:`topoctl.routing.files.linear`.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.formats.ibsim import ADAPTER_GUIDS, SWITCH_GUIDS
from topoctl.topology import Topology

MAX_LAYERS = 15
"""OpenSM's default mapping gives service levels 0 to 14 a lane each."""
GROUP = re.compile(r"name: layer (\d+)")
SWITCH = re.compile(r"port-guid: 0x([0-9a-f]{16})")


def render_policy(layers: NDArray[np.int32], topology: Topology) -> bytes:
    """Write a rule for every layer but the first, which is the default.

    Args:
        layers: of every router, int32, shape (order,).
        topology: whose adapters and switches are named.

    Raises:
        InvalidParameters: more layers than service levels.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> ring = topology_from_spec("torus(dims=4,p=2)")
        >>> text = render_policy(np.array([0, 0, 0, 1], dtype=np.int32), ring).decode()
        >>> print(text.partition("end-port-groups")[0].rstrip())
        port-groups
          port-group
            name: layer 1
            port-guid: 0x0000000000200003, 0x000000000010000d-0x000000000010000f
          end-port-group
    """
    count = 1 + int(layers.max(initial=0))
    if count > MAX_LAYERS:
        raise InvalidParameters(
            f"{count} layers: expected {MAX_LAYERS} at most, which OpenSM gives a lane each"
        )
    firsts = (
        ADAPTER_GUIDS + 1 + 2 * (np.cumsum(topology.endpoints_per_router) - topology.endpoints_per_router)
    )
    lasts = firsts + 2 * topology.endpoints_per_router - 2
    guids = [
        f"0x{SWITCH_GUIDS + router:016x}" + (f", 0x{first:016x}-0x{last:016x}" if last >= first else "")
        for router, (first, last) in enumerate(zip(firsts.tolist(), lasts.tolist(), strict=True))
    ]
    groups, levels, rules = [], ["  qos-level", "    name: DEFAULT", "    sl: 0", "  end-qos-level"], []
    for layer in range(1, count):
        name = f"    name: layer {layer}"
        ports = [f"    port-guid: {guids[router]}" for router in np.flatnonzero(layers == layer)]
        groups += ["  port-group", name, *ports, "  end-port-group"]
        levels += ["  qos-level", name, f"    sl: {layer}", "  end-qos-level"]
        rules += [
            *("  qos-match-rule", f"    destination: layer {layer}"),
            *(f"    qos-level-name: layer {layer}", "  end-qos-match-rule"),
        ]
    sections = {"port-groups": groups, "qos-levels": levels, "qos-match-rules": rules}
    lines = [line for name, held in sections.items() for line in (name, *held, f"end-{name}", "")]
    return "\n".join(lines).encode()


def parse_policy(data: bytes, topology: Topology) -> NDArray[np.int32]:
    """Read the layer of every router: int32, shape (order,)."""
    layers, layer = np.zeros(topology.graph.order, dtype=np.int32), 0
    for line in data.decode().splitlines():
        if group := GROUP.search(line):
            layer = int(group[1])
        elif switch := SWITCH.search(line):
            layers[int(switch[1], 16) - SWITCH_GUIDS] = layer
    return layers
