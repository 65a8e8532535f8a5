import pytest

from harness import machine, options


def described(*words):
    parser = options.measurement_parser("", "test")
    parser.add_argument("--flags", type=options.names, default=[])
    parser.add_argument("--rate")
    parser.add_argument("--far_ratio", type=float, default=0)
    return machine.hardware({**options.description(parser.parse_args(words), "rate", "far_ratio"), "busy": 0})


@pytest.mark.parametrize("other", ["--rate=8gbit", "--far_ratio=0.5", "--flags=--threads=1"])
def test_runs_with_other_settings_are_of_other_conditions(other):
    assert described(other) != described() == described()


def test_what_changes_no_figure_is_no_condition():
    assert described("--rounds=3", "--resume", "--patience=0") == described()


def test_settings_are_told():
    assert described("--rate=8gbit", "--flags=--a=1,--b").endswith(", far_ratio=0, flags=--a=1 --b, rate=8gbit")
