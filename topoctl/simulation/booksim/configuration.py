"""BookSim's configuration files: ``key = value;``, comments behind ``//`` or between ``/*`` and ``*/``.

Every key of BookSim 2 is known here. One that asks for what is not simulated is refused by its name and line,
and so is one that BookSim does not know; none is passed over. Where BookSim wants a number with a decimal
point, one without is taken too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from topoctl.errors import FormatError, hint, quoted
from topoctl.formats.files import read_files

WHOLE = re.compile(r"-?[0-9]{1,10}")
DECIMAL = re.compile(r"-?(?:[0-9]{1,40}\.?|[0-9]{0,40}\.[0-9]{1,40})(?:[eE][+-]?[0-9]{1,2})?")
LARGEST = 2**31
"""Whole numbers are those of 32 bits."""

DEFAULTS = {
    **{"topology": "torus", "k": "8", "n": "2", "c": "1", "x": "8", "y": "8", "xr": "1", "yr": "1"},
    **{"routing_function": "none", "network_file": "", "use_noc_latency": "1"},
    **{"internal_speedup": "1.0", "credit_delay": "0", "routing_delay": "1"},
    **{"output_buffer_size": "-1", "wait_for_tail_credit": "0", "vc_busy_when_full": "0"},
    **{"num_vcs": "16", "vc_buf_size": "8", "vc_allocator": "islip", "sw_allocator": "islip"},
    **{"traffic": "uniform", "perm_seed": "0", "injection_rate": "0.1", "injection_rate_uses_flits": "0"},
    **{"packet_size": "1", "packet_size_rate": "1"},
    **{"injection_process": "bernoulli", "burst_alpha": "0.5", "burst_beta": "0.5", "burst_r1": "-1.0"},
    **{"sim_type": "latency", "warmup_periods": "3", "sample_period": "1000", "max_samples": "10"},
    **{"latency_thres": "500.0", "warmup_thres": "0.05", "acc_warmup_thres": "0.05"},
    **{"stopping_thres": "0.05", "acc_stopping_thres": "0.05", "include_queuing": "1", "seed": "0"},
}
"""What simulations read, and BookSim's own values."""

FIXED = {
    **{"router": "iq", "subnets": "1", "channel_file": "", "link_failures": "0", "classes": "1"},
    **{"output_delay": "0", "noq": "0", "speculative": "0"},
    **{"buffer_policy": "private", "buf_size": "-1"},
    **{"vc_prioritize_empty": "0", "vc_priority_donation": "0", "vc_shuffle_requests": "0"},
    **{"hold_switch_for_packet": "0", "input_speedup": "1", "output_speedup": "1"},
    **{"vc_alloc_delay": "1", "sw_alloc_delay": "1", "st_prepare_delay": "0", "st_final_delay": "1"},
    **{"priority": "none", "use_read_write": "0", "measure_stats": "1"},
    **{"sim_count": "1", "sim_power": "0"},
}
"""What is simulated for BookSim's own value alone."""

IDLE = frozenset(
    {
        *("fail_seed", "in_ports", "out_ports", "vct", "arb_type", "alloc_iters"),
        *("spec_check_elig", "spec_check_cred", "spec_mask_by_reqs", "spec_sw_allocator"),
        *("private_bufs", "private_buf_size", "private_buf_start_vc", "private_buf_end_vc", "max_held_slots"),
        *(
            "feedback_aging_scale",
            "feedback_offset",
            "class_priority",
        ),
        *("batch_size", "batch_count", "max_outstanding_requests", "write_fraction", "sent_packets_out"),
        *(
            f"{kind}_{what}"
            for kind in ("read_request", "read_reply", "write_request", "write_reply")
            for what in ("begin_vc", "end_vc", "subnet", "size")
        ),
        *("print_activity", "print_csv_results", "deadlock_warn_timeout", "viewer_trace", "pair_stats"),
        *("watch_file", "watch_flits", "watch_packets", "watch_transactions", "watch_out", "stats_out"),
        *("power_output_file", "tech_file", "channel_width", "channel_sweep"),
    }
)
"""What has no part in any number of a simulation that the rest allows: output, or features that are off."""

TOKENS = re.compile(
    r"(?P<gap>\s+|//[^\n]*|/\*.*?\*/)|(?P<sign>[=;])"
    r"|(?P<word>(?:[^\s=;/{}()]|/(?![/*])|[{(](?:[^=;{}()]|[{(](?:[^=;{}()]|[{(][^=;{}()]*[)}])*[)}])*[)}])+)",
    re.DOTALL,
)


@dataclass(frozen=True)
class Configuration:
    """What a configuration file says.

    Attributes:
        path: of the file, for messages and for the files that it names.
        values: of the keys of `DEFAULTS`, as they are written, without white space.
        lines: where keys are given, from 1; without those that are not.
    """

    path: Path
    values: Mapping[str, str]
    lines: Mapping[str, int]

    def fault(self, key: str, reason: str) -> FormatError:
        """The error that names the value of a key, and what is wrong with it."""
        return FormatError(self.path, f"{key} = {quoted(self.values[key])}: {reason}", self.lines.get(key))

    def whole(self, key: str, least: int = 0, most: int = LARGEST - 1) -> int:
        """Return the whole number of a key.

        Raises:
            FormatError: no whole number, or out of range.
        """
        return self._number(key, only(self.values[key]), least, most)

    def decimal(self, key: str) -> Fraction:
        """Return the number of a key, exactly as it is written.

        Raises:
            FormatError: not a number.
        """
        value = only(self.values[key])
        if not DECIMAL.fullmatch(value):
            raise self.fault(key, "expected a number")
        return Fraction(value)

    def wholes(self, key: str, least: int) -> list[int]:
        """Return the whole numbers of a key that takes one, or a list in a list, ``{{1,5}}``.

        Raises:
            FormatError: not whole numbers, too small, or lists for several classes of packets.
        """
        value = self.values[key]
        classes = items(value)
        if len(classes) != 1:
            raise self.fault(key, f"a value for each of {len(classes)} classes; expected {{{value}}}, of one")
        return [self._number(key, item, least) for item in items(classes[0])]

    def chosen(self, key: str, known: Sequence[str]) -> str:
        """Return the word of a key.

        Raises:
            FormatError: not one of those known.
        """
        value = self.values[key]
        if value not in known:
            raise self.fault(key, f"not simulated; expected {' or '.join(known)}")
        return value

    def _number(self, key: str, value: str, least: int, most: int = LARGEST - 1) -> int:
        if not WHOLE.fullmatch(value) or not least <= int(value) <= most:
            wanted = f"{least} or more" if most == LARGEST - 1 else f"{least}..{most}"
            raise self.fault(key, f"expected a whole number, {wanted}")
        return int(value)


def read_configuration(path: str | Path) -> Configuration:
    """Read a file.

    Raises:
        FormatError: missing, not in BookSim's grammar, a key that BookSim does not know, or one that asks for
            what is not simulated.
    """
    (content,) = read_files(path)
    try:
        return parse_configuration(path, content.decode())
    except UnicodeDecodeError:
        raise FormatError(path, "not a text: expected lines of 'key = value;'") from None


def parse_configuration(path: str | Path, text: str) -> Configuration:
    r"""Read the text of a file; of a key that is given twice the last value counts.

    Example:
        >>> found = parse_configuration("mesh.cfg", "topology = mesh; // 8 x 8\nnum_vcs = 4;\n")
        >>> found.whole("num_vcs"), found.whole("vc_buf_size"), found.lines["num_vcs"]
        (4, 8, 2)
        >>> parse_configuration("mesh.cfg", "\nnum_vc = 4;")
        Traceback (most recent call last):
        topoctl.errors.FormatError: mesh.cfg, line 2: num_vc: no key of BookSim; did you mean num_vcs?
    """
    values, lines = dict(DEFAULTS), {}
    assignments = _assignments(path, text)
    if not assignments:
        raise FormatError(path, "says nothing: expected lines of 'key = value;', such as 'topology = mesh;'")
    for key, value, line in assignments:
        if key in FIXED:
            if value != FIXED[key] and not _same_number(value, FIXED[key]):
                wanted = FIXED[key] or "none"
                raise FormatError(path, f"{key} = {quoted(value)}: not simulated; expected {wanted}", line)
        elif key in DEFAULTS:
            values[key], lines[key] = value, line
        elif key not in IDLE:
            known = hint(key, [*DEFAULTS, *FIXED, *sorted(IDLE)])
            raise FormatError(
                path, f"{key if len(key) <= 60 else quoted(key)}: no key of BookSim{known}", line
            )
    return Configuration(Path(path), values, lines)


def _same_number(value: str, other: str) -> bool:
    """Whether two values are the same whole number, one of them in braces perhaps."""
    value = only(value)
    return bool(WHOLE.fullmatch(value) and WHOLE.fullmatch(other)) and int(value) == int(other)


def _assignments(path: str | Path, text: str) -> list[tuple[str, str, int]]:
    """Every key with its value, without white space, and the line of the key."""
    words: list[tuple[str, int]] = []
    place, line = 0, 1
    while place < len(text):
        found = TOKENS.match(text, place)
        if not found:
            rest = text[place:].partition("\n")[0].strip()
            raise FormatError(path, f"found {quoted(rest)}, expected 'key = value;'", line)
        if found.lastgroup != "gap":
            words.append(("".join(found[0].split()), line))
        line += found[0].count("\n")
        place = found.end()
    assignments = []
    for start in range(0, len(words), 4):
        statement = [word for word, _ in words[start : start + 4]]
        kinds = [word if word in "=;" else "" for word in statement]
        if kinds != ["", "=", "", ";"]:
            found_words = quoted(" ".join(statement))
            raise FormatError(path, f"found {found_words}, expected 'key = value;'", words[start][1])
        assignments.append((statement[0], statement[2], words[start][1]))
    return assignments


def items(value: str) -> list[str]:
    """Split a list in braces at its commas, but not within the lists in it; another value is alone.

    Example:
        >>> items("{1,{2,3},tornado({64,1})}"), items("4")
        (['1', '{2,3}', 'tornado({64,1})'], ['4'])
    """
    if not (value.startswith("{") and value.endswith("}")):
        return [value]
    parts, depth = [""], 0
    for letter in value[1:-1]:
        depth += (letter in "{(") - (letter in "})")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def only(value: str) -> str:
    """Take a value out of the braces in which it is alone."""
    parts = items(value)
    return parts[0] if len(parts) == 1 else value


def called(value: str) -> tuple[str, list[str]]:
    """Split a value that is written like a call into its name and its arguments, which stand in braces.

    Example:
        >>> called("uniform"), called("randperm(3)"), called("hotspot({{0,1},{1,2}})")
        (('uniform', []), ('randperm', ['3']), ('hotspot', ['{0,1}', '{1,2}']))
    """
    name, parenthesis, rest = value.partition("(")
    if not parenthesis:
        return name, []
    return name, items(rest.removesuffix(")"))
