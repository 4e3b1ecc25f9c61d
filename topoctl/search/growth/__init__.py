"""Growth: a network that stands gets more routers, and few of its cables are moved.

``request`` says what is asked for, ``ways`` how a network begins that has more routers, ``search`` anneals it
with the cables that may be moved as a limit, size after size.
"""
