"""How many virtual channels routes need at least, of all schemes without deadlock: ``--channels auto``."""

from __future__ import annotations

from contextlib import suppress

import numpy as np

from topoctl.errors import InvalidParameters
from topoctl.routing.channels.certificate import Channels
from topoctl.routing.channels.dependency_graph import one_channel, own_channels
from topoctl.routing.channels.increasing import segment_channels
from topoctl.routing.channels.layers import pair_layers
from topoctl.routing.routes import Routes


def fewest_channels(routes: Routes) -> Channels:
    """Return the channels of the scheme without deadlock that needs fewest, the simplest of equal ones.

    Hops never need fewer channels than segments, and layers by pair hardly ever more than by destination.
    """
    found = one_channel(routes)
    if found.deadlock_free:
        return found
    answers = [segment_channels(routes, enough=2)]
    if routes.moves(np.zeros(1, dtype=np.int32)).channels is not None:
        answers.insert(0, own_channels(routes))
    best = min((answer for answer in answers if answer.deadlock_free), key=lambda answer: answer.count)
    if best.count > 2:
        with suppress(InvalidParameters):  # paths are not single, or need as many layers
            return pair_layers(routes, most=best.count - 1)
    return best
