"""Studies with something wrong in them: accidents, and contents that were made up, with right digests."""

import gc
import json
import math
import random
import re
import sqlite3
from contextlib import closing

import numpy as np

from topoctl.papers.sweeps import Sweep
from topoctl.search.registry import search_class
from topoctl.search.state import pack, unpack
from topoctl.study.store import Study

SEARCHES = [
    ["search", "equality", "--n", "24", "--k", "5", "--evaluations", "3000", "--population", "4"],
    ["search", "cayley", "--n", "24", "--k", "5", "--evaluations", "3000", "--population", "4"],
    ["optimize", "grid", "--width", "5", "--height", "4", "--k", "3", "--l", "3", "--moves", "900"],
    ["optimize", "graph", "--n", "20", "--k", "3", "--moves", "900", "--target-diameter", "4", "--seed", "3"],
    ["optimize", "sweep", "small", "--moves", "150"],
    [
        *("optimize", "grid", "--width", "4", "--height", "4", "--k", "3", "--l", "3", "--moves", "200"),
        *("--objective", "latency", "--seed", "2"),
    ],
    ["simulate", "torus(dims=4x3)", "--load", "0.4", "--cycles", "2000", "--precision", "0.001"],
]
BLOCK = {"layout": "grid", "width": 4, "height": 4, "degrees": [3], "lengths": [3]}
PRINTED = {"quantity": "diameter", "values": [3], "lengths": [3], "degrees": [3], "place": "Table 1"}
NAMES = {"title": "small", "source": "nobody", "blocks": [BLOCK]}
SWEEPS = {
    "small": Sweep(name="small", objective="diameter", picture="table", printed_values=[PRINTED], **NAMES)
}
"""In the place of the paper's, which are of 900 routers."""
NASTY = [
    *(None, True, False, 0, 1, -1, 2, 7, 64, 2**31, 2**63, -(2**63), 10**15, 10**40, 10**400),
    *(0.5, -2.5, 1e300, float("nan"), float("inf"), "", "x", "\x1b[31mred", "\x9b1m", "\ud800", "a\0b"),
    *([], [[]], [1, 2], [None], ["x"], {}, {"a": 1}, {"": None}, "grid", "aspl", "/etc/x.svg"),
]


def make_study(path, call):
    """Every search three times: finished, interrupted in the middle, killed before its first checkpoint."""
    for arguments in SEARCHES:
        call(*arguments, "--quiet", "--study", path)
    with Study(path) as study:
        for run in study.runs():
            study.add_run(run.command, run.parameters, run.seed)
            number = study.add_run(run.command, run.parameters, run.seed)
            search = search_class(run.command).from_parameters(run.parameters)
            state = search.first_state()
            last = study.state(run.id, search)
            while state.epoch < last.epoch // 2:
                state = search.step(state, 1)
            study.save(number, state, 0.5, "interrupted")
    gc.collect()  # the searches' own connections
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")  # so that the file alone is the study


def flipped(data, draw, flips=1):
    """Bytes with bits flipped."""
    data = bytearray(data)
    for _ in range(flips if data else 0):
        data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
    return bytes(data)


def accident(value, draw):
    """What a column may hold instead of a value: bytes and text with a bit flipped, or without their end."""
    if not isinstance(value, str | bytes):
        return draw.choice([0 if value is None else value + 1, "x", b"\xff", 2**62])
    data = value.encode() if isinstance(value, str) else value
    data = draw.choice([flipped(data, draw), data[: draw.randrange(len(data) + 1)] + b"x"])
    return data.decode("latin-1") if isinstance(value, str) else data


def crafted_state(data, draw):
    """A checkpoint whose contents were made up: a JSON value or an array is another."""
    header, arrays = unpack(data, "the checkpoint")
    if draw.random() < 0.5 or not arrays:
        line, _, values = data.partition(b"\n")
        return as_text(changed(json.loads(line), draw)).encode() + b"\n" + values
    name = draw.choice([*arrays])
    return pack(header, arrays | {name: changed_array(arrays[name], draw)})


def changed(value, draw):
    """JSON with one value somewhere in it changed."""
    if isinstance(value, dict) and value and draw.random() < 0.9:
        name = draw.choice(sorted(value))
        match draw.randrange(10):
            case 0:
                return {key: item for key, item in value.items() if key != name}
            case 1:
                return {**value, draw.choice(["more", "\x1b[2J", name + name]): _nasty(draw)}
        return {**value, name: changed(value[name], draw)}
    if isinstance(value, list) and value and draw.random() < 0.9:
        place = draw.randrange(len(value))
        match draw.randrange(10):
            case 0:
                return value[:place] + value[place + 1 :]
            case 1:
                return value + value[place:]
        return [*value[:place], changed(value[place], draw), *value[place + 1 :]]
    if type(value) is int and draw.random() < 0.5:
        return draw.choice([value + 1, value - 1, -value, value * 2, value ^ (1 << draw.randrange(64))])
    if isinstance(value, float) and math.isfinite(value) and draw.random() < 0.5:
        return draw.choice([-value, value + 1, int(value), value * 1e300])
    return _nasty(draw)


def _nasty(draw):
    """A value that is seldom right."""
    value = draw.choice(NASTY)
    return f"deep {draw.choice([40, 900, 5000])}" if draw.random() < 0.02 else value


def as_text(value):
    """JSON text, with an abyss of brackets in the place of each ``deep N``."""
    return re.sub(r'"deep (\d+)"', lambda found: "[" * int(found[1]) + "]" * int(found[1]), json.dumps(value))


def changed_array(array, draw):
    """An array of another type, shape or values."""
    match draw.randrange(8):
        case 0:
            return array.astype(draw.choice([np.int64, np.int8, np.float64, np.uint64, np.bool_, ">i4"]))
        case 1:
            return array[: draw.randrange(len(array) + 1)]
        case 2:
            return np.concatenate([array, array])
        case 3:
            return array.reshape(-1) if draw.random() < 0.5 else array[None]
        case 4:
            return np.zeros((0, *array.shape[1:]), array.dtype)
    array = array.copy()
    if array.size:
        flat = array.reshape(-1)
        for _ in range(draw.choice([1, 1, 3])):
            value = draw.choice([0, 1, -1, 2, 5, 100, flat[0], 2**31 - 1, -(2**31), 2**62])
            flat[draw.randrange(len(flat))] = np.array(value).astype(array.dtype)
        if draw.random() < 0.2:
            draw.shuffle(flat)
    return array


def draws(seed):
    """Random choices that a seed stands for."""
    return random.Random(seed)
