"""Where the results of a page come from, and what its words mean."""

from __future__ import annotations

import json
import shlex
from typing import Any

from topoctl.fields import FIELDS
from topoctl.report.page.contents import Page
from topoctl.report.page.markup import Markup, tag
from topoctl.report.page.words import title, unit

OF_DOCUMENT = ("seed", "evaluations", "seconds", "status", "group")


def provenance(page: Page) -> Markup:
    """The command line, versions, the machine, what was asked for, and what was left out."""
    found, asked = page.document, page.document["parameters"]
    facts: dict[str, Any] = {
        "command": shlex.join(page.provenance.command_line),
        "topoctl": page.provenance.version,
        "written": page.provenance.made,
        **{name: found[name] for name in OF_DOCUMENT if found.get(name) is not None},
        **page.provenance.host,
    }
    lines = [
        tag("tr", tag("th", name, scope="row"), tag("td", said(value, name))) for name, value in facts.items()
    ]
    notes = [tag("p", note, class_="note") for note in found.get("notes") or ()]
    return tag(
        "section",
        tag("h2", "Provenance"),
        tag("table", tag("tbody", *lines)),
        *notes,
        tag(
            "details",
            tag("summary", "all that was asked for"),
            tag("pre", json.dumps(asked, indent=1, ensure_ascii=False)),
        ),
    )


def said(value: Any, name: str) -> str:
    """A fact and its unit."""
    text = f"{value:.1f}" if isinstance(value, float) else str(value)
    return f"{text} {unit(name)}".strip()


def words(page: Page) -> Markup:
    """The glossary of the table's headings."""
    terms = [(column, FIELDS[column.name]) for column in page.table if column.name in FIELDS]
    entries = [
        entry
        for column, term in terms
        for entry in (
            tag("dt", title(column)),
            tag("dd", term.meaning + (f" ({term.source})" if term.source else "")),
        )
    ]
    return tag("section", tag("h2", "Words"), tag("dl", *entries))
