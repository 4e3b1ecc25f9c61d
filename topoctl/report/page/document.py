"""A page as one HTML document: its parts, its style and its script, and a policy that allows no other."""

from __future__ import annotations

import base64
import hashlib
import json
import shlex
from importlib import resources
from typing import Any

from topoctl.fields import FIELDS, unit_of
from topoctl.report.notes import counted
from topoctl.report.page.answer import answer
from topoctl.report.page.cards import cards
from topoctl.report.page.contents import Page, title
from topoctl.report.page.curves import curves
from topoctl.report.page.heading import heading
from topoctl.report.page.listing import listing
from topoctl.report.page.markup import Markup, joined, tag
from topoctl.report.page.scatter import scatter

OF_DOCUMENT = ("seed", "evaluations", "seconds", "status", "group")


def html_page(page: Page) -> str:
    """The whole page; it loads nothing, and all text of its document is escaped.

    Args:
        page: a document with at least one row, and what is shown beside it.
    """
    style, script = _own_file("page.css"), _own_file("page.js")
    policy = "; ".join(
        (
            "default-src 'none'",
            f"style-src '{_fingerprint(style)}'",
            f"script-src '{_fingerprint(script)}'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    name = heading(page)
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name_="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name_="color-scheme", content="light dark"),
        tag("title", f"{name} – topoctl {page.document['command']}"),
        tag("style", style),
    )
    body = tag(
        "body",
        tag("header", tag("h1", name), tag("p", f"{_counted(page)}; {page.provenance.made}", class_="note")),
        tag(
            "main",
            *(part(page) for part in (answer, scatter, curves, listing, cards, _provenance, _glossary)),
        ),
        tag("script", script),
    )
    return joined(Markup("<!doctype html>\n"), tag("html", head, "\n", body, lang="en"), "\n")


def _counted(page: Page) -> str:
    """How many networks there are, and how many of them are on the front."""
    there, front = counted(len(page.rows), "network"), len(page.front)
    return f"{there}, {front:,} on the front" if front else there


def _own_file(name: str) -> Markup:
    """A file of this room, as it is."""
    return Markup(resources.files(__package__).joinpath(name).read_text(encoding="utf-8"))


def _fingerprint(text: str) -> str:
    """What a content security policy calls a text."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _provenance(page: Page) -> Markup:
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
        tag("tr", tag("th", name, scope="row"), tag("td", _with_unit(value, name)))
        for name, value in facts.items()
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


def _with_unit(value: Any, name: str) -> str:
    """A fact and its unit."""
    text = f"{value:.1f}" if isinstance(value, float) else str(value)
    return f"{text} {unit_of(name)}".strip()


def _glossary(page: Page) -> Markup:
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
