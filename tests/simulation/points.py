"""Points as commands simulate them, and by themselves."""

from topoctl.runs.session import Session
from topoctl.runs.simulations import simulate
from topoctl.simulation.point import PointUnderWay


def document_of(request, networks, threads=1, **more):
    """The document of some networks, simulated on so many threads and kept nowhere."""
    with Session(threads) as session:
        return simulate(request, networks, session, **more).document


def whole_point(simulator, plan, load, sending, stopping):
    """The point of one load, simulated in one go."""
    under_way = PointUnderWay(simulator, plan, load, sending, stopping)
    while not under_way.ended:
        under_way.advance()
    return under_way.point()
