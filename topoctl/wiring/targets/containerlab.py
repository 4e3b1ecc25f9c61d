"""containerlab's ``.clab.yml``: a container for every router and endpoint, wired as planned."""

from __future__ import annotations

import json
import re

from topoctl.formats.lines import fault
from topoctl.wiring.names import PortReader
from topoctl.wiring.targets.record import Files, Plan, Target, text_of
from topoctl.wiring.wiring import Gathered, Wiring

NODE = re.compile(r'    ("?)([A-Za-z0-9_.-]++)\1: \{group: (router|endpoint)(?:, image: [^\n}]++)?\}\r?')
LINK = re.compile(r'    - endpoints: \["([^":]++):([^":]++)", "([^":]++):([^":]++)"\]\r?')
REST = re.compile(r"(?:name: \S++|topology:|  defaults: \{[^\n}]*+\}|  (?:nodes|links):|[ \t]*+(?:#.*+)?)\r?")


def render_containerlab(plan: Plan, _: str) -> Files:
    """Write the containers and the links."""
    image = plan.told("image", "quay.io/frrouting/frr:10.2.1")
    name = re.sub(r"[^a-z0-9]+", "-", (plan.topology.spec or plan.topology.family).lower()).strip("-")
    nodes = [f'    "{one}": {{group: router}}' for one in plan.routers]
    nodes += [f'    "{one}": {{group: endpoint}}' for one in plan.endpoints]
    links = [
        f'    - endpoints: ["{one}:{port}", "{other}:{other_port}"]'
        for _, one, port, _, other, other_port in plan.ends()
    ]
    head = [
        f"name: {name}",
        "topology:",
        f"  defaults: {{kind: linux, image: {json.dumps(image)}}}",
        "  nodes:",
    ]
    return {"": "\n".join([*head, *nodes, "  links:", *links, ""]).encode()}


def parse_containerlab(path: str, files: Files, ports: PortReader) -> Wiring:
    """Read such a file as it is written here: one container and one link a line.

    Raises:
        FormatError: any other line, a container twice, or a link of none.
    """
    text, gathered = text_of(path, next(iter(files.values()))), Gathered(path)
    for line, content in enumerate(text.split("\n"), start=1):
        if link := LINK.fullmatch(content):
            if not {link[1], link[3]} <= gathered.routers.keys():
                raise fault(path, text, line, "a link of no container, expected two of those above")
            gathered.cable(link[1], link[2], link[3], link[4], line)
        elif node := NODE.fullmatch(content):
            if node[2] in gathered.routers:
                raise fault(path, text, line, "a container a second time, expected once")
            gathered.routers[node[2]] = node[3] == "router"
        elif not REST.fullmatch(content):
            raise fault(path, text, line, "expected a container or a link on a line of its own")
    return gathered.wiring(ports)


CONTAINERLAB = Target(
    name="containerlab",
    title="containerlab",
    remark="`containerlab deploy -t` starts a laboratory of it; `image` of the names says which containers.",
    suffixes=(".clab.yml",),
    port="eth{n}",
    endpoint_port="eth{n}",
    letters=re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*"),
    longest=63,
    port_letters=re.compile(r"(?!eth0$)[^\s/:\"'\\\[\]]+"),
    longest_port=15,
    render=render_containerlab,
    parse=parse_containerlab,
)
