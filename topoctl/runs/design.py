"""A design: which network to build, of listed, drawn and searched networks, measured and compared."""

from __future__ import annotations

from collections.abc import Sequence

from topoctl.errors import InvalidParameters
from topoctl.runs.design_document import COMMAND, design_document
from topoctl.runs.design_under_way import Design
from topoctl.runs.session import Session, telling_how_to_resume
from topoctl.search.design.request import DesignRequest
from topoctl.search.protocol import Search
from topoctl.study.groups import add_group


def design(request: DesignRequest, session: Session, searches: Sequence[Search] = ()) -> Design:
    """Keep a design as a new group and run it.

    Args:
        request: what is required.
        session: what it works with.
        searches: those of a design that this one repeats, planned by the clock there.

    Raises:
        InvalidParameters: there are such searches, and no study to keep them in.
        EngineLost: the scheduler or all workers are gone; what was reached is kept.
        TopoctlError: a search ended in an error.
    """
    stored = session.begin(lambda study: add_group(study, COMMAND, request.parameters, searches))
    if searches and stored is None:
        raise InvalidParameters("a design planned by --seconds is repeated in a study; expected one")
    return run_design(Design(request, session, stored))


def run_design(under_way: Design) -> Design:
    """Run a design, new or resumed, and make its document."""
    with under_way.session.display() as progress, telling_how_to_resume(under_way.stored):
        under_way.progress = progress
        under_way.run()
        if under_way.interrupted or under_way.pool.front:
            found, under_way.networks = design_document(under_way)
            under_way.document = found if found["results"] else None
    if reason := under_way.reason_for_its_end():
        under_way.session.say(reason)
    return under_way
