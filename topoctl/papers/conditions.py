"""Under which conditions a paper counts: prices, places, bandwidths, trials."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from topoctl.economics.prices import DEFAULT_PRICES
from topoctl.floor.cabinets import Cabinets


class Conditions(BaseModel):
    """What quantities of a table or figure depend on beside the networks.

    Attributes:
        convention: by which a paper's costs and power are counted; None for `floor` and `prices`.
        floor, prices: presets.
        cabinet: width and depth of the cabinets that latencies are measured in, metres.
        overhead: metres of cable at each of its two ends there.
        link_bandwidth: of a link, in the unit that the paper prints.
        partitions: halvings that are refined for a bisection.
        most_cut_routers: larger networks without a closed form are not halved.
        trials: random orders in which links fail.
        simulation: options of `topoctl simulate`, by the names of their fields, common to what is simulated.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    convention: str | None = None
    floor: str = "racks42"
    prices: str = DEFAULT_PRICES
    cabinet: tuple[float, float] = (1.0, 1.0)
    overhead: float = 0.0
    link_bandwidth: float = Field(default=1.0, gt=0)
    partitions: int = Field(default=4, ge=1)
    most_cut_routers: int = 6000
    trials: int = Field(default=100, ge=6)
    simulation: dict[str, str | int | float] = {}

    @property
    def cabinets(self) -> Cabinets:
        """Their sizes."""
        return Cabinets(*self.cabinet, overhead=self.overhead)
