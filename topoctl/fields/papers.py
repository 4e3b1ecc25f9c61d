"""Fields of papers' tables and figures beside ours, and of lists of families and words."""

from __future__ import annotations

from topoctl.fields.kinds import FLAG, HOPS, MEAN_HOPS, NUMBER, TEXT, WHOLE, either, many
from topoctl.fields.record import GRID, Field, Rows

WRITTEN = either("integer", "number", "string")
"""A number, or a text such as a range."""

# fmt: off
PAPERS = (
    Field("published_diameter", "published D", HOPS, "diameter that a paper prints", keep=610,
          rows=Rows.PRINTED),
    Field("published_aspl", "published ASPL", MEAN_HOPS, "ASPL that a paper prints", keep=620,
          rows=Rows.PRINTED),
    Field("published_distance_sum", "", HOPS, "distance sum of the network that a paper prints"),
    Field("published_spec", "", TEXT, "network that a paper prints"),
    Field("published_place", "", TEXT, "where a paper prints it", rows=Rows.PRINTED),
    Field("published_aspl_lower_bound", "", MEAN_HOPS, "Moore's bound on the ASPL as a paper prints it",
          rows=Rows.PRINTED),
    Field("published_length_aspl_bound", "", MEAN_HOPS,
          "bound on the ASPL by lengths alone as a paper prints it", rows=Rows.PRINTED),
    Field("published_layout_aspl_bound", "", MEAN_HOPS,
          "bound on the ASPL by degree and lengths as a paper prints it", rows=Rows.PRINTED),
    Field("published_well_balanced", "", FLAG, "whether a paper prints K and L among the well-balanced ones",
          rows=Rows.PRINTED),
    Field("published", "published", WRITTEN, "what a paper prints", any_size=True, keep=90),
    Field("x", "along x", NUMBER, "place along the axis of a paper's figure", any_size=True, keep=70),
    Field("ours", "ours", WRITTEN, "what is measured here", any_size=True, keep=100),
    Field("ours_at_least", "ours ≥", NUMBER, "lower end of the interval that ours is known to lie in",
          any_size=True),
    Field("ours_at_most", "ours ≤", NUMBER, "upper end of the interval that ours is known to lie in",
          any_size=True),
    Field("equal", "equal", FLAG, "whether ours is what the paper prints (=) or not (≠)", answers=("≠", "="),
          keep=110),
    Field("beats_published", "", FLAG, "whether a network is better than the paper's"),
    Field("quantity", "quantity", TEXT, "what of a network is compared", keep=80),
    Field("comparison", "", TEXT, "the paper's table or figure that a value is of"),
    Field("outcome", "outcome", TEXT, "how a search of a cell ended, beside the paper and the bound",
          keep=550),
    Field("balance_difference", "length ASPL below degree's", MEAN_HOPS,
          "how far the length's ASPL bound is below the degree's", source=GRID, decimals=3),
    Field("agrees", "agrees", FLAG, "whether all that a paper prints is ours, rounded"),
    Field("minutes", "minutes", WHOLE, "of one core that a simulated figure takes, where these are many",
          keep=65),
    Field("remark", "remark", TEXT, "what there is to say of a row", sentences=True, keep=180),
)

LISTINGS = (
    Field("example", "example", TEXT, "a spec of the family", long=True),
    Field("examples", "", many(TEXT), "specs of the family"),
    Field("definition", "", TEXT, "of the family: its routers and links"),
    Field("closed_forms", "", many(TEXT), "formulas that hold for every network of the family"),
    Field("term", "term", TEXT, "a word of this glossary", keep=140),
    Field("heading", "heading", TEXT, "of the column of a table", sentences=True),
    Field("meaning", "meaning", TEXT, "of a word", sentences=True, keep=150),
    Field("source", "source", TEXT, "that defines a word", sentences=True),
    Field("spellings", "", many(TEXT), "other words for a word, among them options"),
)
