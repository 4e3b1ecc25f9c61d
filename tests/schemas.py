"""Documents held against the JSON Schema, and against a strict one that allows no other field or command."""

from functools import cache

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from topoctl.report.schema import results_schema


def closed(schema):
    """The schema where an object has none but the fields that are named."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    known = {name: closed(one) for name, one in schema.items()}
    if schema.get("type") == "object" and isinstance(schema.get("properties"), dict):
        known["additionalProperties"] = False
    return known


def strict_schema():
    schema = closed(results_schema())
    del schema["additionalProperties"]  # a command has fields of its own
    schema["unevaluatedProperties"] = False
    schema["properties"]["command"] = {"enum": commands()}
    return schema


def commands():
    """The commands whose documents are described."""
    return [one["if"]["properties"]["command"]["const"] for one in results_schema()["allOf"]]


LENIENT = Draft202012Validator(results_schema())
STRICT = Draft202012Validator(strict_schema())


@cache
def strict_of(command):
    """The strict schema without what it says of other commands, which takes longer than all else."""
    told = [one for one in STRICT.schema["allOf"] if one["if"]["properties"]["command"]["const"] == command]
    return Draft202012Validator({**STRICT.schema, "allOf": told})


def check_document(found):
    """Fail with the field that the strict schema does not allow."""
    faults = [*strict_of(found["command"]).iter_errors(found)]
    # Where a part is wrong, all of it counts as unevaluated.
    deeper = [error for error in faults if error.validator != "unevaluatedProperties"]
    error = best_match(deeper or faults)
    assert error is None, f"{error.json_path}: {error.message[:500]}"
