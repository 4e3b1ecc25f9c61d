"""Layers by destination as OpenSM's QoS policy (``opensm -Q -Y FILE``): a service level for every adapter.

OpenSM answers whoever asks for the path to an adapter with the service level of the rule that names it, and
by default service level i is virtual lane i.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.topology import Topology, routers_of_endpoints
from topoctl.wiring.addresses import Addresses

MAX_LAYERS = 15
"""OpenSM's default mapping gives service levels 0 to 14 a lane each."""
GROUP = re.compile(r"name: layer (\d+)")
SWITCH = re.compile(r"port-guid: 0x([0-9a-f]{16})")


def render_policy(layers: NDArray[np.int32], topology: Topology, addresses: Addresses | None = None) -> bytes:
    """Write a rule for every layer but the first, which is the default.

    Args:
        layers: of every router, int32, shape (order,).
        topology: whose adapters and switches are named.
        addresses: their GUIDs; by default those of an ibsim export.

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
            port-guid: 0x0000000000200003, 0x000000000010000d, 0x000000000010000f
          end-port-group
    """
    count = 1 + int(layers.max(initial=0))
    if count > MAX_LAYERS:
        raise InvalidParameters(
            f"{count} layers: expected {MAX_LAYERS} at most, which OpenSM gives a lane each"
        )
    told = addresses or Addresses.of_ibsim(topology)
    guids = [[f"0x{one.port:016x}"] if one else [] for one in told.switches]
    hosts = routers_of_endpoints(topology.endpoints_per_router).tolist()
    for router, adapter in zip(hosts, told.adapters, strict=True):
        if adapter and guids[router]:
            guids[router].append(f"0x{adapter.port:016x}")
    groups, levels, rules = [], ["  qos-level", "    name: DEFAULT", "    sl: 0", "  end-qos-level"], []
    for layer in range(1, count):
        name = f"    name: layer {layer}"
        routers = [router for router in np.flatnonzero(layers == layer) if guids[router]]
        ports = [f"    port-guid: {', '.join(guids[router])}" for router in routers]
        groups += ["  port-group", name, *ports, "  end-port-group"]
        levels += ["  qos-level", name, f"    sl: {layer}", "  end-qos-level"]
        rules += [
            *("  qos-match-rule", f"    destination: layer {layer}"),
            *(f"    qos-level-name: layer {layer}", "  end-qos-match-rule"),
        ]
    sections = {"port-groups": groups, "qos-levels": levels, "qos-match-rules": rules}
    lines = [line for name, held in sections.items() for line in (name, *held, f"end-{name}", "")]
    return "\n".join(lines).encode()


def parse_policy(data: bytes, topology: Topology, addresses: Addresses | None = None) -> NDArray[np.int32]:
    """Read the layer of every router, 0 of those that are not there: int32, shape (order,)."""
    switches = (addresses or Addresses.of_ibsim(topology)).switches
    routers = {one.port: router for router, one in enumerate(switches) if one}
    layers, layer = np.zeros(topology.graph.order, dtype=np.int32), 0
    for line in data.decode().splitlines():
        if group := GROUP.search(line):
            layer = int(group[1])
        elif switch := SWITCH.search(line):
            layers[routers[int(switch[1], 16)]] = layer
    return layers
