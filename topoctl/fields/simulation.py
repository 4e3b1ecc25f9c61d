"""Fields of what is simulated cycle by cycle."""

from __future__ import annotations

from topoctl.fields.kinds import (
    FLAG,
    MEAN_HOPS,
    NANOSECONDS,
    NUMBER,
    TEXT,
    WHOLE,
    many,
    of_unit,
    or_null,
    record,
)
from topoctl.fields.record import Field, Rows

CYCLES, MEAN_CYCLES = of_unit(WHOLE, "cycles"), of_unit(NUMBER, "cycles")
LOAD = record(
    {
        "offered_load": NUMBER,
        "accepted_load": NUMBER,
        "latency": or_null(MEAN_CYCLES),
        "latency_half_width": or_null(MEAN_CYCLES),
        "saturated": FLAG,
    }
)

# fmt: off
SIMULATION = (
    Field("offered_load", "offered", NUMBER,
          "load that is offered, as a share of the link of every endpoint that sends all it can",
          also=("--load", "injection rate"), decimals=3, keep=201, rows=Rows.SIMULATED, words="offered load",
          legend="share of the endpoints' links"),
    Field("accepted_load", "accepted", NUMBER,
          "load that arrives, as the same share", decimals=4, keep=205, more_is_better=True,
          rows=Rows.SIMULATED, words="accepted load"),
    Field("accepted_half_width", "", NUMBER,
          "half of the 95% interval of the mean accepted load of several seeds", also=("--seeds",)),
    Field("latency", "latency", MEAN_CYCLES,
          "mean time from a packet's making to the arrival of its last flit, in cycles; where the network is "
          "saturated, of the packets that have arrived: it grows with the cycles simulated",
          decimals=2, keep=211, rows=Rows.SIMULATED, words="mean latency", legend="cycles"),
    Field("latency_half_width", "±", MEAN_CYCLES,
          "half of the 95% interval of the mean latency, in cycles, by batch means; of several seeds, by how "
          "these differ",
          also=("--precision",), decimals=2, keep=212, rows=Rows.SIMULATED,
          legend="half of the 95% interval"),
    Field("latency_p50", "p50", MEAN_CYCLES, "latency that half of the packets do not pass, in cycles",
          decimals=0, rows=Rows.SIMULATED),
    Field("latency_p95", "p95", MEAN_CYCLES, "latency that 95% of the packets do not pass, in cycles",
          decimals=0, rows=Rows.SIMULATED),
    Field("latency_p99", "p99", MEAN_CYCLES, "latency that 99% of the packets do not pass, in cycles",
          also=("percentile", "tail latency"), decimals=0, keep=214, rows=Rows.SIMULATED,
          legend="latency that 99% of the packets do not pass"),
    Field("latency_p99_9", "p99.9", MEAN_CYCLES, "latency that 99.9% of the packets do not pass, in cycles",
          decimals=0, rows=Rows.SIMULATED),
    Field("latency_longest", "longest", CYCLES, "longest latency of a packet, in cycles",
          rows=Rows.SIMULATED),
    Field("network_latency", "in network", MEAN_CYCLES,
          "mean time from the entry of a packet's head into the network to the arrival of its last flit, in "
          "cycles: the latency without waiting at the source", decimals=2, rows=Rows.SIMULATED),
    Field("queueing_latency", "at source", MEAN_CYCLES,
          "mean time from a packet's making to the entry of its head into the network, in cycles: latency "
          "less network_latency", decimals=2, rows=Rows.SIMULATED, words="latency at the source"),
    Field("zero_load_latency", "at zero load", MEAN_CYCLES,
          "latency of packets that never wait, in cycles, on as many hops as were measured",
          decimals=2, rows=Rows.SIMULATED, words="zero-load latency"),
    Field("latency_ns", "ns", NANOSECONDS, "mean latency in nanoseconds, by the clock", also=("--clock",),
          decimals=1, keep=213, legend="mean latency in nanoseconds", rows=Rows.SOME_SIMULATED,
          words="mean latency"),
    Field("latency_p99_ns", "p99 ns", NANOSECONDS,
          "latency in nanoseconds that 99% of the packets do not pass, by the clock", decimals=1,
          rows=Rows.SOME_SIMULATED),
    Field("zero_load_latency_ns", "ns at zero load", NANOSECONDS,
          "latency in nanoseconds of packets that never wait, by the clock and the cables", decimals=1,
          rows=Rows.SOME_SIMULATED),
    Field("latency_histogram", "", many(many(WHOLE)),
          "least latency of a bin, in cycles, and the packets in it: a bin for each cycle up to 127, then 64 "
          "for every doubling", also=("--histogram",), rows=Rows.SOME_SIMULATED),
    Field("mean_hops", "mean hops", MEAN_HOPS, "mean number of links between routers that packets crossed",
          decimals=3, rows=Rows.SIMULATED),
    Field("saturated", "saturated", FLAG,
          "whether the network accepts less than it is offered: sources fall behind, all the time", keep=207,
          rows=Rows.SIMULATED),
    Field("converged", "", FLAG,
          "whether the precision asked for was reached: of the latency, or of the accepted load where the "
          "network is saturated", rows=Rows.SIMULATED),
    Field("deadlocked", "", FLAG,
          "whether packets came to wait for each other in a circle, so that none of them can move any more; "
          "others may", rows=Rows.SIMULATED),
    Field("waiting_cycle", "", many(many(WHOLE)),
          "of a deadlocked network, channels whose packets wait for the next one's: virtual channel, router, "
          "next router", rows=Rows.SIMULATED),
    Field("proven", "deadlock", FLAG,
          "whether it was proven before the first cycle that packets cannot wait for each other in a circle",
          also=("--unproven",), answers=("can", "cannot"), rows=Rows.SIMULATED),
    Field("cycles", "cycles", CYCLES, "cycles simulated, warm-up included", also=("--cycles", "warm-up"),
          rows=Rows.SIMULATED),
    Field("packets", "packets", WHOLE, "packets measured: those that arrived after the warm-up",
          rows=Rows.SIMULATED),
    Field("least_accepted", "least", NUMBER,
          "flits a cycle that arrive at the endpoint where fewest do, of those that anything is sent to",
          decimals=4, rows=Rows.SIMULATED, words="least accepted load of an endpoint"),
    Field("fairness", "fairness", NUMBER,
          "Jain's index of the shares that endpoints could send of what they would: 1 where all are alike",
          source="Jain, Chiu & Hawe 1984", decimals=3, more_is_better=True, rows=Rows.SIMULATED,
          words="Jain's fairness index"),
    Field("largest_injection_load", "injected", NUMBER,
          "flits a cycle into the network over the busiest link of an endpoint", decimals=3,
          rows=Rows.SIMULATED, words="load of the busiest link into the network"),
    Field("largest_link_load", "busiest link", NUMBER,
          "flits a cycle over the busiest link in one direction", decimals=3, rows=Rows.SIMULATED,
          words="load of the busiest link"),
    Field("largest_ejection_load", "ejected", NUMBER,
          "flits a cycle out of the network over the busiest link to an endpoint", decimals=3,
          rows=Rows.SIMULATED, words="load of the busiest link out of the network"),
    Field("mean_simulated_link_load", "mean link", NUMBER,
          "mean flits a cycle over the links in both directions", decimals=3, rows=Rows.SIMULATED,
          words="mean load of links"),
    Field("expected_link_load", "expected", NUMBER,
          "flits a cycle over the busiest link if all that is offered went by the shares of the routing, as "
          "topoctl route has them; above 1 where a link cannot carry that", decimals=3, rows=Rows.SIMULATED,
          words="expected load of the busiest link"),
    Field("bottleneck", "bottleneck", TEXT,
          "where most flits a cycle go: a link from router to router, or one from or to an endpoint",
          rows=Rows.SIMULATED),
    Field("by_time", "", many({"$ref": "#/$defs/simulated_time_row"}),
          "the numbers of one part of the time after the other, from the first cycle on, warm-up included",
          also=("--every",), rows=Rows.SOME_SIMULATED),
    Field("cycle", "cycle", CYCLES, "cycle in which the time begins that numbers are of",
          also=("--every",), first=True, words="cycle"),
    Field("saturation_load", "saturation", NUMBER,
          "largest offered load that is accepted, found by bisection; where networks are measured, of "
          "uniform traffic by `own_routing`, null where that takes more virtual channels than are simulated",
          also=("--saturation", "traffic"), decimals=3, keep=203, more_is_better=True,
          words="saturation load"),
    Field("saturation_half_width", "", NUMBER,
          "half of the 95% interval of the mean saturation load of several seeds", also=("--seeds",)),
    Field("half_load_latency", "at half", MEAN_CYCLES,
          "mean latency of uniform traffic by `own_routing` at half of the saturation load, in cycles",
          also=("traffic",), decimals=2, keep=204, words="latency at half of the saturation load",
          legend="latency at half of the saturation, in cycles"),
    Field("half_load_half_width", "", MEAN_CYCLES,
          "half of the 95% interval of half_load_latency, in cycles"),
    Field("load_curve", "", many(LOAD), "what was simulated to find both: latency by offered load"),
)
# fmt: on

BY_TIME = (
    *("cycle", "packets", "latency", "latency_p99", "network_latency", "mean_hops", "accepted_load"),
    *("largest_link_load", "mean_simulated_link_load"),
)
"""What is told of a part of the time of a simulation."""
