"""Fields of bounds: what no network with given routers, ports and lengths falls below."""

from __future__ import annotations

from topoctl.fields.kinds import FLAG, HOPS, MEAN_HOPS, MEAN_STEPS, NUMBER, STEPS, WHOLE, many, record
from topoctl.fields.record import EQUALITY, GRID, Field, Rows

LEVEL = record({"hops": WHOLE, "by_degree": WHOLE, "by_length": WHOLE, "by_both": WHOLE})

# fmt: off
BOUNDS = (
    Field("load_lower_bound", "load ≥", NUMBER,
          "mean load of the links, at least, where endpoints send all they can to all others alike; above "
          "1 they are oversubscribed", legend="mean load of the links, at least", decimals=2, keep=680,
          words="bound on the mean load of the links"),
    Field("diameter_lower_bound", "D ≥", HOPS, "no graph of this order and radix has a smaller diameter",
          source="Moore bound", keep=590, rows=Rows.NETWORK | Rows.BOUNDS, nullable=True,
          words="bound on the diameter"),
    Field("aspl_lower_bound", "ASPL ≥", MEAN_HOPS, "no graph of this order and radix has a smaller ASPL",
          source="Cerf et al. 1974", keep=600, rows=Rows.NETWORK | Rows.BOUNDS, nullable=True,
          words="bound on the ASPL"),
    Field("family_diameter_bound", "", HOPS, "no network of the family has a smaller diameter",
          source=EQUALITY, rows=Rows.SOME_NETWORKS | Rows.BOUNDS_OF_FAMILIES),
    Field("family_aspl_bound", "Equality ASPL ≥", MEAN_HOPS, "no network of the family has a smaller ASPL",
          source=EQUALITY, rows=Rows.SOME_NETWORKS | Rows.BOUNDS_OF_FAMILIES,
          words="family's bound on the ASPL"),
    Field("length_aspl_bound", "length ASPL ≥", MEAN_HOPS,
          "no graph of this layout and length limit has a smaller ASPL, by lengths alone", source=GRID,
          rows=Rows.BOUNDS_OF_LAYOUTS, words="bound on the ASPL by lengths"),
    Field("layout_diameter_bound", "layout D ≥", HOPS,
          "no graph of this layout, degree and length limit has a smaller diameter", source=GRID, keep=630,
          rows=Rows.PLACED | Rows.BOUNDS_OF_LAYOUTS, nullable=True, words="layout's bound on the diameter"),
    Field("layout_aspl_bound", "layout ASPL ≥", MEAN_HOPS,
          "no graph of this layout, degree and length limit has a smaller ASPL", source=GRID, keep=640,
          rows=Rows.PLACED | Rows.BOUNDS_OF_LAYOUTS, nullable=True, words="layout's bound on the ASPL"),
    Field("layout_distance_sum_bound", "", HOPS,
          "no graph of this layout, degree and length limit has a smaller distance sum", source=GRID,
          rows=Rows.BOUNDS_OF_LAYOUTS),
    Field("mean_length", "mean length", MEAN_STEPS, "mean distance of two places of the layout, in steps",
          source=GRID, decimals=3, rows=Rows.BOUNDS_OF_LAYOUTS),
    Field("longest_length", "longest length", STEPS, "largest distance of two places of the layout, in steps",
          source=GRID, rows=Rows.BOUNDS_OF_LAYOUTS),
    Field("well_balanced", "well-balanced", FLAG,
          "whether the bounds by degree and by length are closer than at the neighbouring K and L",
          source=GRID, keep=560),
    Field("recommended", "recommended", FLAG,
          "whether K and L are the least whose bounds allow the wanted diameter", source=GRID, keep=570),
    Field("hops", "i", HOPS, "number of hops", source=GRID, legend="hops", keep=190),
    Field("by_degree", "m(i)", WHOLE, "routers that a corner reaches by its degree", source=GRID,
          legend="reached by degree"),
    Field("by_length", "d(i)", WHOLE, "routers that a corner reaches by the length of links", source=GRID,
          legend="reached by length"),
    Field("by_both", "min", WHOLE, "the smaller of m(i) and d(i)", source=GRID,
          legend="the smaller of the two"),
    Field("levels", "", many(LEVEL), "what a corner reaches in 0, 1, 2 and more hops", source=GRID,
          also=("--levels",)),
    Field("semicircle_cut", "", WHOLE,
          "links that a halving of the ring cuts: an upper bound of the bisection", source=EQUALITY,
          rows=Rows.SOME_NETWORKS),
    Field("semicircle_topology_ratio", "", NUMBER,
          "the semicircle cut as a part of the links between routers (B_r)", source=EQUALITY,
          rows=Rows.SOME_NETWORKS),
    Field("semicircle_network_ratio", "", NUMBER,
          "the semicircle cut as a part of all links, endpoints' too (b_r)", source=EQUALITY,
          rows=Rows.SOME_NETWORKS),
)
