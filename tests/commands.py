"""Commands in this process, by click's runner."""

import json

from click.testing import CliRunner

from topoctl.cli import main

FIELDS = {
    "rank": int,
    "spec": str,
    "family": str,
    "parameters": dict,
    "order": int,
    "size": int,
    "network_radix": int,
    "concentration": int,
    "router_radix": int,
    "endpoints": int,
    "connected": bool,
    "diameter": int,
    "aspl": float,
    "distance_sum": int,
    "moore_percent": float,
    "diameter_lower_bound": int,
    "aspl_lower_bound": float,
    "moore_order": int,
}
ENVELOPE = ["schema", "command", "parameters", "seed", "evaluations", "seconds", "results"]
SEARCH = ["search", "equality", "--n", "32", "--k", "4", "--evaluations", "100"]


def ended(*arguments, text=None):
    """How a command ends, whatever its exit code."""
    return CliRunner().invoke(main, [str(argument) for argument in arguments], input=text)


def call(*arguments, code=0, text=None):
    """What a command prints that ends with this exit code, or one of these; errors are never tracebacks."""
    result = ended(*arguments, text=text)
    codes = code if isinstance(code, tuple) else (code,)
    assert result.exit_code in codes, (result.stdout, result.stderr, result.exception)
    if result.exit_code:
        assert "Traceback" not in result.stderr
        assert result.stderr.strip()
    return result


def document(*arguments, code=0, text=None):
    """The document that a command prints with ``--json``."""
    found = json.loads(call(*arguments, "--json", code=code, text=text).stdout)
    assert found["schema"] == "topoctl.results/1"
    assert [name for name in found if name in ENVELOPE] == ENVELOPE
    return found


def check_row(row):
    """A row of a network has every field that it promises, of its type."""
    for name, kind in FIELDS.items():
        assert type(row[name]) is kind, name
