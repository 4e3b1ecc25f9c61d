"""A page as one HTML document: its parts, its style and its script, and a policy that allows no other."""

from __future__ import annotations

import base64
import hashlib
from importlib import resources

from topoctl.report.page.cards import cards
from topoctl.report.page.contents import Page
from topoctl.report.page.listing import listing
from topoctl.report.page.markup import Markup, joined, tag
from topoctl.report.page.points import points
from topoctl.report.page.sources import provenance, words


def html_page(page: Page) -> str:
    """The whole page; it loads nothing, and all text of its document is escaped.

    Args:
        page: a document with at least one row, and what is shown beside it.
    """
    style, script = own("page.css"), own("page.js")
    policy = "; ".join(
        (
            "default-src 'none'",
            f"style-src '{fingerprint(style)}'",
            f"script-src '{fingerprint(script)}'",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    name = f"topoctl {page.document['command']}: {headline(page)}"
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name_="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name_="color-scheme", content="light dark"),
        tag("title", name),
        tag("style", style),
    )
    body = tag(
        "body",
        tag("header", tag("h1", name), tag("p", page.provenance.made, class_="note")),
        tag("main", points(page), listing(page), cards(page), provenance(page), words(page)),
        tag("script", script),
    )
    return joined(Markup("<!doctype html>\n"), tag("html", head, "\n", body, lang="en"), "\n")


def headline(page: Page) -> str:
    """How many networks there are, and how many of them are on the front."""
    there, front = len(page.rows), len(page.front)
    counted = f"{there:,} {'network' if there == 1 else 'networks'}"
    return f"{counted}, {front:,} on the front" if front else counted


def own(name: str) -> Markup:
    """A file of this room, as it is."""
    return Markup(resources.files(__package__).joinpath(name).read_text(encoding="utf-8"))


def fingerprint(text: str) -> str:
    """What a content security policy calls a text."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
