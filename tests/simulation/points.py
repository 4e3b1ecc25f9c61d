"""Points as commands simulate them."""

from topoctl.runs.session import Session
from topoctl.runs.simulations import simulate


def document_of(request, networks, threads=1, **more):
    """The document of some networks, simulated on so many threads and kept nowhere."""
    with Session(threads) as session:
        return simulate(request, networks, session, **more).document
