"""Elements of HTML and SVG as text, with all other text escaped."""

from __future__ import annotations

import html

from topoctl.report.messages import legible


class Markup(str):
    """Text that is markup already."""

    __slots__ = ()


EMPTY = frozenset({"meta", "link", "br", "input", "img"})
"""Elements of HTML that have no end."""


def escaped(text: object) -> Markup:
    r"""Any text as markup, its control characters and lone surrogates legible; lines stay lines.

    Example:
        >>> escaped("<script>\x1b&")
        '&lt;script&gt;\\x1b&amp;'
    """
    if isinstance(text, Markup):
        return text
    lines = str(text).split("\n")
    return Markup(html.escape("\n".join(legible(line, "utf-8") for line in lines)))


def tag(name: str, *children: object, **attributes: object) -> Markup:
    """An element.

    Args:
        name: of the element.
        children: markup, which is taken as it is, and texts, which are escaped.
        attributes: by name, ``_`` for ``-`` and at the end of a word of Python; without those that are None
            or False, and bare where they are True.

    Example:
        >>> tag("a", "1 < 2", tag("b", 3), href="#n1", class_='"', data_n=1, hidden=True, lang=None)
        '<a href="#n1" class="&quot;" data-n="1" hidden>1 &lt; 2<b>3</b></a>'
    """
    said = "".join(
        f" {word.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{escaped(value)}"')
        for word, value in attributes.items()
        if value is not None and value is not False
    )
    if name in EMPTY:
        return Markup(f"<{name}{said}>")
    return Markup(f"<{name}{said}>{joined(*children)}</{name}>")


def joined(*children: object) -> Markup:
    """Markup and texts one after the other."""
    return Markup("".join(map(escaped, children)))
