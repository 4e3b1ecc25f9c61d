"""Searches, epoch by epoch to their end."""


def run_on(search, state, threads=1):
    """The last state of a search that goes on from a state."""
    while not search.finished(state):
        state = search.step(state, threads)
    return state


def run(search, threads=1):
    """The last state of a search."""
    return run_on(search, search.first_state(), threads)
