"""What comes of runs whose figures are known."""

import pytest

from harness import programs, replays
from harness.replays import ReplayRun


def run(number, value, direct, bitmap, read=100):
    ways = [{"way": "direct", "seconds": direct, "bytes": 400},
            {"way": "bitmap", "seconds": bitmap, "bytes": read}]
    return ReplayRun(number, "t", "window", value, 0, {"asked_bytes": 200, "ways": ways})


def test_a_round_has_every_value_of_every_sweep_and_the_ways_once():
    found = replays.cases(["a", "b"], ["ways", "window"])
    assert len(found) == 2 * (1 + len(replays.SWEEPS["window"].values))
    assert ("a", "window", "all", ["--window=0"]) in found and ("b", "ways", "", []) in found


def test_direct_is_compared_within_a_process():
    spread = replays.ratio_to_direct([run(0, "all", 8, 2), run(1, "all", 3, 1), run(2, "all", 30, 5)], "bitmap")
    assert spread == (4, 3, 6)


def test_a_curve_compares_within_a_round():
    values = replays.SWEEPS["window"].values
    runs = [run(number, value, 9, slow * seconds, read)
            for number, slow in enumerate((1, 10, 3)) for value, seconds, read in zip(values, (4, 3, 1, 2), (400, 300, 200, 100))]
    curve = replays.curve(runs, "t", "window")
    assert curve.first_seconds == 12
    assert [curve.times[value].median for value in values] == [1, 0.75, 0.25, 0.5]
    assert [curve.fetched[value] for value in values] == [2, 1.5, 1, 0.5]
    assert (curve.best.value, curve.best.saved) == (values[2], pytest.approx(0.75))


def test_without_runs_of_some_value_there_is_no_curve():
    assert replays.curve([run(0, "all", 1, 1)], "t", "window") is None


def test_a_replay_that_fails_takes_no_other_with_it(monkeypatch):
    def replay(path, *flags):
        if path == "bad" and "--window=4096" in flags:
            raise programs.Failed("killed")
        return {}

    monkeypatch.setattr(replays, "replay", replay)
    written, left_out = [], []
    runs = replays.measure({"a": ["good"], "b": ["bad"]}, ["window"], [], range(2), 0, lambda runs: written.append(len(runs)),
                           left_out.extend)
    values = len(replays.SWEEPS["window"].values)
    assert written == [2 * values - 1, 4 * values - 2] and len(runs) == written[-1]
    assert left_out == [f"left out: b, window 4096, round {number}: killed" for number in (1, 2)]
