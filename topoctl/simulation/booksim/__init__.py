"""BookSim's experiments: its configuration files read, simulated, and told in its words.

Jiang et al., A detailed and flexible cycle-accurate network-on-chip simulator, ISPASS 2013 (BookSim 2).
"""

from __future__ import annotations

from topoctl.simulation.booksim.experiment import Results, Spread, run_configuration, text_of

__all__ = ["Results", "Spread", "run_configuration", "text_of"]
