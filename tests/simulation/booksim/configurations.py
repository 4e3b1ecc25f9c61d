"""Configurations of BookSim for tests."""

from pathlib import Path

from topoctl.simulation.booksim.configuration import parse_configuration

DATA = Path(__file__).parents[2] / "data" / "simulation"

MESH = {"topology": "mesh", "k": "4", "n": "2", "routing_function": "dim_order", "num_vcs": "4"}
FLATFLY = {"topology": "flatfly", "k": "4", "n": "2", "c": "4", "x": "4", "y": "4", "xr": "2", "yr": "2"}
NETWORKS = {
    "mesh": (
        MESH,
        ("dim_order", "dor", "min_adapt", "planar_adapt", "xy_yx", "adaptive_xy_yx", "valiant", "romm"),
    ),
    "torus": (MESH | {"topology": "torus"}, ("dim_order", "dim_order_bal", "valiant", "min_adapt")),
    "odd torus": (
        MESH | {"topology": "torus", "k": "5", "num_vcs": "5"},
        ("dim_order", "dim_order_bal", "valiant", "min_adapt"),
    ),
    "flatfly": (
        FLATFLY | {"num_vcs": "4"},
        ("ran_min", "xyyx", "adaptive_xyyx", "valiant", "ugal", "ugal_xyyx"),
    ),
    "dragonfly": ({"topology": "dragonflynew", "k": "2", "n": "1", "num_vcs": "3"}, ("min", "ugal")),
    "fattree": ({"topology": "fattree", "k": "3", "n": "3", "num_vcs": "2"}, ("nca", "anca")),
    "anynet": (
        {"topology": "anynet", "network_file": str(DATA / "eq14.anynet"), "num_vcs": "2"},
        ("min",),
    ),
}
EVERY = [
    (name, values | {"routing_function": routing})
    for name, (values, routings) in NETWORKS.items()
    for routing in routings
]
NAMES = [f"{name}-{values['routing_function']}" for name, values in EVERY]


def text_of(values):
    return "".join(f"{key} = {value};\n" for key, value in values.items())


def configured(values):
    return parse_configuration("given.cfg", text_of(values))
