import json

from pytest import approx

from harness import plans, programs
from harness.graphs import Graph
from harness.plans import Outcome, PlannedRun
from harness.ways import Case, OwnRun, Settings


def outcome(planned_seconds, seconds, planned_peak=100, peak=100, way="local"):
    return Outcome("bfs", "kron", way, "measured", planned_seconds, seconds, planned_peak, peak)


def test_errors_are_relative_to_what_happened():
    assert outcome(3, 2).time_error() == approx(0.5)
    assert outcome(1, 2).time_error() == approx(-0.5)
    assert outcome(1, 1, planned_peak=95).peak_error() == approx(-0.05)


def test_accuracy_counts_what_is_within_the_tolerance_and_names_the_worst():
    outcomes = [outcome(1.25, 1), outcome(1, 1), outcome(2, 1), outcome(0.25, 1, way="tcp 0.8")]
    found = plans.accuracy(outcomes, Outcome.time_error, plans.TIME_TOLERANCE)
    assert (found.count, found.within) == (4, 2)
    assert (found.cases, found.cases_within) == (2, 1)
    assert (found.median, found.worst) == (approx(0.5), 1)
    assert found.worst_case == "bfs on kron, local"


def test_runs_with_caches_know_others_of_their_round_alone(tmp_path):
    def cache(way, kernel):
        [_, found] = way.cache_of(Case(kernel, Graph("kron", tmp_path)))
        return found

    outcomes = []
    local, far = (PlannedRun(OwnRun(name), outcomes, caches="/caches") for name in ("local", "shm 0.8"))
    assert cache(local, "bfs") == cache(local, "wcc") == "XDG_CACHE_HOME=/caches/0 local"
    outcomes.append(outcome(1, 1))
    assert cache(local, "bfs") == "XDG_CACHE_HOME=/caches/1 local"
    assert cache(local, "wcc") == "XDG_CACHE_HOME=/caches/0 local"
    assert cache(far, "bfs") == "XDG_CACHE_HOME=/caches/0 shm 0.8"
    assert PlannedRun(OwnRun("local"), outcomes).cache_of(Case("bfs", Graph("kron", tmp_path))) == ()


def test_a_run_is_planned_with_the_same_flags_right_before(monkeypatch, tmp_path):
    commands = []

    def run(argv, _launcher=()):
        commands.append(argv)
        said = {"basis": "estimate", "seconds": 2.0, "peak_memory_bytes": 90} if argv[1] == "plan" else {
            "trial_seconds": [1.0, 4.0, 3.0], "peak_memory_bytes": 100}
        return json.dumps(said), ""

    monkeypatch.setattr(programs, "run", run)
    outcomes = []
    way = PlannedRun(OwnRun("shm 0.8", ("--far_ratio=0.8",), 0.8), outcomes)
    seconds, _ = way.run(Case("bfs", Graph("kron", tmp_path)), 7, Settings(5, 3, "single"))
    assert seconds == [1.0, 4.0, 3.0]
    assert outcomes == [Outcome("bfs", "kron", "shm 0.8", "estimate", 2.0, 3.0, 90, 100)]
    planned, ran = commands
    assert (planned[1], ran[1]) == ("plan", "run")
    assert planned[2:] == ran[2:]
