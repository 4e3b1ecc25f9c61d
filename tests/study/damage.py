"""Studies whose pages are whole and whose contents are not: one value of one run changed, by a seed."""

import gc
import json
import random
import re
import sqlite3

import numpy as np

from topoctl.papers.sweeps import Sweep
from topoctl.search.registry import search_class
from topoctl.search.state import pack, unpack
from topoctl.study.store import Study

SEARCHES = [
    ["search", "equality", "--n", "24", "--k", "5", "--evaluations", "3000", "--population", "4"],
    ["optimize", "grid", "--width", "5", "--height", "4", "--k", "3", "--l", "3", "--moves", "900"],
    ["optimize", "graph", "--n", "20", "--k", "3", "--moves", "900", "--target-diameter", "4", "--seed", "3"],
    ["optimize", "sweep", "small", "--moves", "150", "--graphs", "graphs"],
    ["optimize", "sweep", "curves", "--moves", "150", "--picture", "curves.svg", "--seed", "2"],
    [
        *("optimize", "grid", "--width", "4", "--height", "4", "--k", "3", "--l", "3", "--moves", "200"),
        *("--objective", "latency", "--seed", "2"),
    ],
    [
        *("optimize", "grid", "--width", "9", "--height", "3", "--k", "3", "--l", "10", "--moves", "64"),
        *("--objective", "power", "--max-latency-ns", "700"),
    ],
]
BLOCK = {"layout": "grid", "width": 4, "height": 4, "degrees": [3, 4], "lengths": [2, 3]}
PRINTED = {"quantity": "diameter", "values": [4, 3], "lengths": [2, 3], "degrees": [3], "place": "Table 1"}
NAMES = {"title": "small", "source": "nobody", "blocks": [BLOCK]}
SWEEPS = {
    "small": Sweep(name="small", objective="diameter", picture="table", printed_values=[PRINTED], **NAMES),
    "curves": Sweep(name="curves", objective="aspl", picture="length_limit", **NAMES),
}
"""In the place of the paper's, which are of 900 routers."""
TEXTS = ("command", "parameters", "version", "host", "status", "started", "updated", "document")
NUMBERS = ("seed", "evaluations", "seconds")
NASTY = [
    *(None, True, False, 0, 1, -1, 2, 7, 64, 2**31, 2**63, -(2**63), 10**15, 10**40, 10**400),
    *(
        0.5,
        -2.5,
        1e300,
        float("nan"),
        float("inf"),
        "",
        "x",
        "\x1b[31mred",
        "\x9b1m",
        "\ud800",
        "../../x.svg",
        "a\0b",
    ),
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
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = DELETE")  # so that the file alone is the study
    connection.close()


def nasty(draw):
    """A value that is seldom right."""
    value = draw.choice(NASTY)
    return f"deep {draw.choice([40, 900, 5000])}" if draw.random() < 0.02 else value


def changed(value, draw):
    """JSON with one value somewhere in it changed."""
    if isinstance(value, dict) and value and draw.random() < 0.9:
        name = draw.choice(sorted(value))
        match draw.randrange(10):
            case 0:
                return {key: item for key, item in value.items() if key != name}
            case 1:
                return {**value, draw.choice(["more", "\x1b[2J", name + name]): nasty(draw)}
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
    if isinstance(value, float) and draw.random() < 0.5:
        return draw.choice([-value, value + 1, int(value), value * 1e300])
    return nasty(draw)


def as_text(value):
    """JSON text, with an abyss of brackets in the place of each ``deep N``."""
    return re.sub(r'"deep (\d+)"', lambda found: "[" * int(found[1]) + "]" * int(found[1]), json.dumps(value))


def flipped(data, draw, flips=1):
    """Bytes with bits flipped."""
    data = bytearray(data)
    for _ in range(flips if data else 0):
        data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
    return bytes(data)


def damaged_text(text, draw):
    """What a column of text may hold instead."""
    match draw.randrange(8):
        case 0 | 1:
            return (
                flipped(text.encode(), draw).decode("latin-1")
                if draw.random() < 0.5
                else flipped(text.encode(), draw)
            )
        case 2:
            return text[: draw.randrange(len(text) + 1)]
        case 3:
            return draw.choice(
                [None, 5, 2.5, b"\xff\x00", "", "null", "[]", "x\x1b]0;t\x07", "\u00e9", "[" * 100000]
            )
    try:
        return as_text(changed(json.loads(text), draw))
    except ValueError:
        return draw.choice([text + "\x1b[31m", text.upper(), text * 50])


def damaged_array(array, draw):
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
        case 5:
            return np.asfortranarray(array)
    array = array.copy()
    if array.size:
        flat = array.reshape(-1)
        for _ in range(draw.choice([1, 1, 3])):
            value = draw.choice([0, 1, -1, 2, 5, 100, flat[0], 2**31 - 1, -(2**31), 2**62])
            flat[draw.randrange(len(flat))] = np.array(value).astype(array.dtype)
        if draw.random() < 0.2:
            draw.shuffle(flat)
    return array


def damaged_state(data, draw):
    """A checkpoint with something wrong in it."""
    match draw.randrange(4):
        case 0:
            return flipped(data, draw, draw.choice([1, 1, 8]))
        case 1:
            first, last = sorted(draw.choices(range(len(data)), k=2))
            return draw.choice([b"", b"x", data[:last], data[first:], 5, "text"])
        case 2:
            line, _, values = data.partition(b"\n")
            return as_text(changed(json.loads(line), draw)).encode() + b"\n" + values
    header, arrays = unpack(data, "the checkpoint")
    name = draw.choice([*arrays])
    return pack(header, arrays | {name: damaged_array(arrays[name], draw)})


def damage(path, seed):
    """Change one thing in a study; the number of the run that was hit."""
    draw = random.Random(seed)
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        (runs,) = connection.execute("SELECT max(id) FROM runs").fetchone()
        number = draw.randint(1, runs)
        kind = draw.random()
        stored = connection.execute("SELECT state FROM checkpoints WHERE run = ?", (number,)).fetchone()
        query = "SELECT rank, network FROM networks WHERE run = ? ORDER BY rank"
        kept = connection.execute(query, (number,)).fetchall()
        if kind < 0.1:
            pass
        elif kind < 0.55 and stored:
            state = damaged_state(stored[0], draw)
            connection.execute("UPDATE checkpoints SET state = ? WHERE run = ?", (state, number))
        elif kind < 0.62 and kept:
            rank, data = draw.choice(kept)
            data = draw.choice([flipped(data, draw), data[: draw.randrange(len(data))], "text", 5, b""])
            statement = "UPDATE networks SET network = ? WHERE run = ? AND rank = ?"
            connection.execute(statement, (data, number, rank))
        elif kind < 0.66:
            column, value = (
                draw.choice(NUMBERS),
                draw.choice([-1, 2**63 - 1, -(2**63), 0.5, "x", b"\xff", 1e300]),
            )
            connection.execute(f"UPDATE runs SET {column} = ? WHERE id = ?", (value, number))
        else:
            column = draw.choice([*TEXTS, "parameters", "parameters", "document", "document"])
            query = f"SELECT {column} FROM runs WHERE id = ?"
            (text,) = connection.execute(query, (number,)).fetchone()
            value = damaged_text(text or "{}", draw)
            if isinstance(value, bytes):  # text that is not UTF-8
                statement = f"UPDATE runs SET {column} = CAST(? AS TEXT) WHERE id = ?"
            else:
                statement = f"UPDATE runs SET {column} = ? WHERE id = ?"
            value = b"x" if value is None else value
            if isinstance(value, str):
                value = value.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
            connection.execute(statement, (value, number))
    connection.close()
    if kind < 0.1:
        path.write_bytes(flipped(path.read_bytes(), draw, draw.choice([1, 3, 30])))
    return number
