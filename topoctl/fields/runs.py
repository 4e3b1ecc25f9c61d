"""Fields of runs and commands: which run, which command, and how much work it was."""

from __future__ import annotations

from topoctl.fields.kinds import SECONDS, TEXT, TIME, WHOLE, either, many, one_of, record
from topoctl.fields.record import GRID, Field, Rows

HOST = record({"cores": WHOLE, "processor": TEXT, "system": TEXT, "python": TEXT, "kernel": TEXT})

# fmt: off
RUNS = (
    Field("rank", "rank", WHOLE, "place of a network, the best one being 1", also=("--top",), keep=10,
          rows=Rows.NETWORK),
    Field("run", "run", WHOLE, "number of a run in its study, counted from 1; a network's run found it",
          also=("--run",), keep=30, rows=Rows.SOME_NETWORKS | Rows.RUN, nullable=True),
    Field("id", "", either("integer", "string"), "number of a run; of a group, g and its number",
          rows=Rows.RUN),
    Field("command", "command", TEXT, "the words of the command line that made a run or takes a preset",
          keep=120, rows=Rows.RUN),
    Field("status", "status", one_of("running", "interrupted", "killed", "finished", "damaged"),
          "whether a run is running, interrupted, killed (its process is gone), finished, or damaged",
          keep=130, rows=Rows.RUN),
    Field("started", "started", TIME, "when a run began, UTC", rows=Rows.RUN),
    Field("cell", "cell", TEXT, "a point of a sweep, such as a degree and a length limit", keep=40),
    Field("updated", "", TIME, "when a run was last written to its study, UTC", rows=Rows.RUN),
    Field("version", "", TEXT, "of the topoctl that made a run", rows=Rows.RUN),
    Field("host", "", HOST, "the machine of a run: cores, processor, Python, backend of the kernels",
          rows=Rows.RUN),
    Field("links_kept", "", many(WHOLE), "ranks of the networks whose links a run keeps"),
    Field("networks", "", WHOLE, "how many networks a paper's table or figure compares"),
    Field("cells", "cells", WHOLE, "how many cells a paper's table has", source=GRID, also=("--cells",)),
    Field("name", "name", TEXT, "by which a preset, a family or a paper's table is called", long=True,
          keep=50),
    Field("title", "title", TEXT, "what a preset, a family or a paper's table is, in a few words",
          sentences=True),
    Field("label", "in the paper", TEXT, "what a paper calls a network", sentences=True, keep=60),
)

EFFORT = (
    Field("evaluations", "evaluations", WHOLE, "networks scored or measured", also=("--evaluations",),
          rows=Rows.RUN),
    Field("seconds", "seconds", SECONDS, "that a command has taken", also=("--seconds",), decimals=1,
          rows=Rows.RUN, words="time"),
    Field("best_seconds", "best after s", SECONDS, "seconds after which a run had its best network",
          decimals=1, words="time to the best network"),
)
