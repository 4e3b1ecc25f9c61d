"""The JSON Schema of all documents, made of what is declared of their fields, rows and commands."""

from __future__ import annotations

from topoctl.fields import FIELDS, Field
from topoctl.fields.kinds import SECONDS, TEXT, WHOLE, Kind, or_null, says
from topoctl.report.schema.documents import DOCUMENTS, DocumentKind
from topoctl.report.schema.parameters import parameters_kind
from topoctl.report.schema.rows import ROWS, RowKind, one_of_rows, reference, row_name
from topoctl.runs.document import SCHEMA

EVERY: dict[str, Kind] = {
    "schema": {"const": SCHEMA, "description": "the version of this schema; fields are only ever added"},
    "command": says(TEXT, "the words of the command line"),
    "parameters": {"$ref": "#/$defs/asked"},
    "seed": says(or_null(WHOLE), "that all random draws follow from; null where nothing is drawn"),
    "evaluations": says(or_null(WHOLE), "networks scored or measured"),
    "seconds": says(or_null(SECONDS), "spent on them"),
    "results": says({"type": "array"}, "the rows, one a result"),
}
"""Fields of every document."""


def results_schema() -> Kind:
    """The JSON Schema (2020-12) of the documents that commands print with ``--json``.

    A document is first what all are, then what its command's are; of commands that it does not know it asks
    only the first. Fields that it does not name are allowed: a later version may have more.

    Example:
        >>> results_schema()["$defs"]["diameter"]["unit"]
        'hops'
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:topoctl:results:1",
        "title": "What topoctl prints with --json",
        "$comment": "unit is an annotation: of a number, or of those in a list",
        "type": "object",
        "properties": EVERY,
        "required": [*EVERY],
        "allOf": [
            {
                "if": {"properties": {"command": {"const": command}}, "required": ["command"]},
                "then": document_kind(known),
            }
            for command, known in DOCUMENTS.items()
        ],
        "$defs": {
            "asked": parameters_kind(),
            **{name: described(field) for name, field in FIELDS.items()},
            **{row_name(name): row_kind(known) for name, known in ROWS.items()},
        },
    }


def document_kind(known: DocumentKind) -> Kind:
    """The document of one command."""
    own = {**known.required, **known.optional, "results": {"items": one_of_rows(*known.rows)}}
    return {"properties": own, "required": [*known.required]}


def row_kind(known: RowKind) -> Kind:
    """A kind of row, its fields by reference."""
    fields = {
        name: {"anyOf": [reference(name), {"type": "null"}]} if name in known.null else reference(name)
        for name in (*known.required, *known.optional)
    }
    return {
        "title": known.title,
        "type": "object",
        "properties": fields | known.own,
        "required": [*dict.fromkeys((*known.required, *known.own))],
        **({"patternProperties": known.patterns} if known.patterns else {}),
    }


def described(field: Field) -> Kind:
    """Return what a field is and means."""
    heading = {"title": field.heading} if field.heading else {}
    source = f" ({field.source})" if field.source else ""
    return field.kind | heading | {"description": f"{field.meaning}{source}"}
