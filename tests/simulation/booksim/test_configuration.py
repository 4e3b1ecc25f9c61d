"""What BookSim's configuration files may say, and what is refused by its name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from properties import few
from simulation.booksim.configurations import EVERY, FLATFLY, MESH, NAMES, text_of
from topoctl.errors import FormatError
from topoctl.simulation.booksim.configuration import DEFAULTS, FIXED, IDLE, parse_configuration
from topoctl.simulation.booksim.experiment import plan_of


def plan(text):
    return plan_of(parse_configuration("given.cfg", text))


def refusal(text):
    with pytest.raises(FormatError) as caught:
        plan(text)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_comments_lists_and_numbers():
    text = """
        // a mesh
        topology=mesh; k = 4; /* 4 x 4;
        n = 3; */ n = 2;
        routing_function = dim_order; injection_rate = {1}; internal_speedup = 2;
        packet_size = { {1, 5} }; packet_size_rate = {{3,1}};
    """
    configuration = parse_configuration("given.cfg", text)
    assert configuration.whole("n") == 2
    assert configuration.wholes("packet_size", 1) == [1, 5]
    made = plan_of(configuration)
    assert made.steps == 2000
    assert made.sizes.tolist() == [1, 5]
    assert made.size_shares.tolist() == [3 * 2**62 - 1, 2**64 - 1]
    assert configuration.lines == {
        **dict.fromkeys(("topology", "k"), 3),
        "n": 4,
        **dict.fromkeys(("routing_function", "injection_rate", "internal_speedup"), 5),
        **dict.fromkeys(("packet_size", "packet_size_rate"), 6),
    }


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"num_vc": "4"}, "line 7: num_vc: no key of BookSim; did you mean num_vcs?"),
        (
            {"topology": "cmesh"},
            "line 1: topology = 'cmesh': not simulated; expected anynet or mesh or torus",
        ),
        (
            {"topology": "torus", "routing_function": "chaos"},
            "line 4: routing_function = 'chaos': not simulated",
        ),
        ({"output_buffer_size": "0"}, "line 7: output_buffer_size = '0': no flit would pass; expected -1"),
        ({"speculative": "1"}, "line 7: speculative = '1': not simulated; expected 0"),
        ({"injection_process": "poisson"}, "'poisson': not simulated; expected bernoulli or on_off"),
        ({"sw_allocator": "wavefront"}, "sw_allocator = 'wavefront': not simulated; expected islip"),
        ({"vc_allocator": "islip(3)"}, "vc_allocator = 'islip(3)': not simulated"),
        ({"routing_delay": "2"}, "routing_delay = '2': expected a whole number, 0..1"),
        ({"injection_process": "on_off({0,0.5})"}, "cannot send at a rate of 0.1"),
        (
            {"injection_process": "on_off", "burst_r1": "0.5"},
            "expected alpha, beta and r1 of 0..1, but for one",
        ),
        ({"internal_speedup": "0.5"}, "internal_speedup = '0.5': expected 1..16"),
        ({"injection_rate": "1.5"}, "injection_rate = '1.5': expected 0, or 1e-06..1 packets"),
        ({"injection_rate": "1e-9"}, "injection_rate = '1e-9': expected 0, or 1e-06..1 packets"),
        ({"injection_rate": "1e999"}, "injection_rate = '1e999': expected a number"),
        ({"num_vcs": "4.0"}, "line 5: num_vcs = '4.0': expected a whole number"),
        (
            {"num_vcs": "1", "routing_function": "valiant"},
            "num_vcs = '1': expected a whole number, 2 or more",
        ),
        ({"num_vcs": "300"}, "line 5: num_vcs = '300': expected a whole number, 1..64"),
        ({"k": "2000000"}, "k = '2000000': 2000000^2 routers: expected at most 4096"),
        ({"k": "9999999999"}, "k = '9999999999': expected a whole number"),
        (
            {"packet_size": "{1,5}"},
            "packet_size = '{1,5}': a value for each of 2 classes; expected {{1,5}}, of one",
        ),
        ({"traffic": "tornado(64,1)"}, "expected whole numbers, several in braces, as in tornado({1,2})"),
        ({"traffic": "tornado({64,1})"}, "node 0 sends to 31; expected a pattern for 16 nodes"),
        ({"traffic": "uniformly"}, "no pattern of BookSim; did you mean uniform?"),
        (
            {"traffic": "background({0,1})"},
            "2 arguments; expected at most 1 in braces, where a list is one of",
        ),
        ({"traffic": "taper64"}, "16 nodes: expected 64"),
        ({"traffic": "transpose", "k": "3"}, "9 nodes: expected an even power of two"),
        ({"traffic": "{uniform,uniform}"}, "a pattern for each of 2 classes; expected one"),
        ({"seed": "time"}, "seed = 'time': expected a whole number"),
        (
            {"topology": "anynet", "routing_function": "min"},
            "network_file = '': expected the file of the network",
        ),
    ],
)
def test_what_is_not_simulated_is_refused_by_name(changed, said):
    assert said in refusal(text_of(MESH | {"injection_rate": "0.1"} | changed))


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"y": "8"}, "y = '8': expected 4, as many as x"),
        ({"c": "3"}, "c = '3': expected xr * yr = 4"),
        ({"x": "8", "y": "8"}, "expected x = y, and x * y = k^n = 16 routers"),
        ({"xr": "4", "yr": "4", "c": "16"}, "xr = '4': expected at most 3, or use_noc_latency = 0"),
    ],
)
def test_numbers_of_a_flattened_butterfly_that_do_not_fit(changed, said):
    assert said in refusal(text_of(FLATFLY | {"routing_function": "ran_min"} | changed))


def test_what_is_not_in_the_grammar():
    assert refusal("k = 4\nn = 2;") == "given.cfg, line 1: found 'k = 4 n', expected 'key = value;'"
    assert refusal("k = 4;\n\nn = {2;") == "given.cfg, line 3: found '{2;', expected 'key = value;'"
    assert refusal("k = 4; /* open") == "given.cfg, line 1: found '/* open', expected 'key = value;'"


def test_separable_allocators_heed_priorities():
    allocator = {"vc_allocator": "separable_output_first"}
    assert plan(text_of(MESH | allocator)).channels == 4
    assert "not simulated with this routing" in refusal(
        text_of(MESH | allocator | {"routing_function": "min_adapt"})
    )


def test_output_is_no_part_of_a_result():
    assert plan(text_of(MESH | {"print_activity": "1", "watch_out": "-", "viewer_trace": "0"})).channels == 4
    assert not IDLE & DEFAULTS.keys()
    assert not IDLE & FIXED.keys()
    assert not DEFAULTS.keys() & FIXED.keys()


WORDS = st.sampled_from(
    [
        "0",
        "-1",
        "1",
        "3",
        "7",
        "1.5",
        "1e9",
        "99999999999",
        "{",
        "}",
        "{1,2}",
        "{{1,2}}",
        "(",
        "x",
        "time",
        "none",
    ]
)


def is_simulated(text):
    """Whether a text makes a plan; what is refused is refused in a line."""
    try:
        plan(text)
    except FormatError as error:
        return "\n" in str(error)
    return True


@pytest.mark.parametrize("values", [values for _, values in EVERY], ids=NAMES)
@few(0.4)
@given(data=st.data())
def test_a_changed_value_is_simulated_or_refused(values, data):
    key = data.draw(st.sampled_from([*DEFAULTS, *FIXED]))
    value = data.draw(WORDS)
    same = value == (DEFAULTS | FIXED | values)[key]
    assert is_simulated(text_of(values | {key: value})) in ({True} if same else {True, False})


@given(st.data())
def test_a_damaged_text_is_simulated_or_refused(data):
    text = text_of(MESH)
    place = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(place, min(len(text), place + 12)))
    damaged = text[:place] + data.draw(st.text('kn=;{}()/*"\n .,0123\0é', max_size=6)) + text[end:]
    assert is_simulated(damaged) in ({True} if damaged == text else {True, False})
