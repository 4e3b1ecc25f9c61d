"""Every small network of a family, from nothing but its declared parameters."""

from functools import cache
from itertools import product

from topoctl.errors import InvalidParameters
from topoctl.families import FAMILIES

NAMED = [family for family in FAMILIES.values() if family.examples[0].startswith(f"{family.name}(")]
"""The families whose specs are ``name(key=value, ...)``."""
BEYOND_LEAST = (*range(7), 11, 24)
SIZES = [sizes for dimensions in (1, 2, 3) for sizes in product(range(1, 6), repeat=dimensions)]


PAIRS = [((1, 0),), ((0, 1),), ((1, 0), (0, 1)), ((1, 1), (2, 0), (0, 2)), ((3, 1), (1, 2), (0, 1), (4, 0))]


def values_of(parameter):
    """What a parameter may be in a small network: the smallest integers, and some larger ones."""
    if parameter.kind == "word":
        return parameter.choices
    if parameter.kind == "sizes":
        return [sizes for sizes in SIZES if min(sizes) >= parameter.least]
    if parameter.kind == "pairs":
        return PAIRS
    values = (parameter.least + beyond for beyond in BEYOND_LEAST)
    return [value for value in values if value <= parameter.most]


@cache
def small_networks(family):
    """Parameters of a family, all but the concentration and the seed, for at most 800 routers."""
    chosen = {one.name: values_of(one) for one in family.parameters if one.name not in ("p", "seed")}
    every = (dict(zip(chosen, values, strict=True)) for values in product(*chosen.values()))
    return [known for known in every if is_small(family, known)]


def is_small(family, known):
    """Whether there is such a network, and it is small."""
    try:
        claims = family.claims(known)
    except InvalidParameters:
        return False
    return claims.order <= 800 and (claims.size or 0) <= 12_000
