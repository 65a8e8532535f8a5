import dataclasses

from harness import programs, rounds, ways
from harness.graphs import Graph

CASES = {"bfs": ["local", "far", "peer"], "wcc": ["local", "far"]}


def test_a_round_runs_every_way_of_every_case_once():
    planned = list(rounds.order(CASES, range(3)))
    for number in range(3):
        same_round = [(case, way) for planned_number, case, way in planned if planned_number == number]
        assert sorted(same_round) == sorted((case, way) for case, ways in CASES.items() for way in ways)


def test_rounds_come_one_after_the_other_and_the_ways_of_a_case_too():
    planned = list(rounds.order(CASES, range(2)))
    assert [(number, case) for number, case, _ in planned] == (
        [(0, "bfs")] * 3 + [(0, "wcc")] * 2 + [(1, "bfs")] * 3 + [(1, "wcc")] * 2)


def test_every_way_runs_first_in_some_round():
    first = {next(way for _, case, way in rounds.order(CASES, [number]) if case == "bfs") for number in range(20)}
    assert first == {"local", "far", "peer"}


def test_a_resumed_measurement_goes_on_with_the_same_orders():
    assert list(rounds.order(CASES, range(4))) == [*rounds.order(CASES, range(2)), *rounds.order(CASES, range(2, 4))]


@dataclasses.dataclass
class Way:
    """It fails whenever the search begins at this vertex."""

    name: str
    bad_source: int = -1
    far_ratio = 0
    kind = "own"

    def run(self, _case, source, _settings):
        if source == self.bad_source:
            raise programs.Failed("killed")
        return [1.0], {}


def test_a_run_that_fails_takes_no_other_with_it(tmp_path):
    case, written, left_out = ways.Case("bfs", Graph("kron", tmp_path)), [], []
    runs = rounds.measure({case: [Way("far", bad_source=1), Way("local")]}, {"kron": [0, 1, 2]},
                          ways.Settings(iterations=1, trials=1, precision="single"), range(3),
                          lambda runs: written.append(len(runs)), left_out.extend)
    assert [(run.round, run.way) for run in sorted(runs, key=lambda run: (run.round, run.way))] == [
        (0, "far"), (0, "local"), (1, "local"), (2, "far"), (2, "local")]
    assert written == [2, 3, 5]
    assert left_out == ["left out: bfs on kron, far, round 2: killed"]


def test_a_round_may_fail_as_a_whole(tmp_path):
    case = ways.Case("bfs", Graph("kron", tmp_path))
    assert not rounds.measure({case: [Way("far", bad_source=0)]}, {"kron": [0]},
                              ways.Settings(iterations=1, trials=1, precision="single"), range(1), list, list)
