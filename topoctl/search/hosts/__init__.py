"""Host-switch graphs: so many hosts on any number of routers of so many ports (the order/radix problem).

``request`` says what is asked for, ``contenders`` which numbers of routers and symmetries race, ``starts``
what a leg begins with; ``search`` anneals links and hosts together, leg after leg.
"""
