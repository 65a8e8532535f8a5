import dataclasses
import json

import pytest

from harness import machine, programs, ways
from harness.graphs import Graph
from harness.results import Results
from harness.rounds import Run


@dataclasses.dataclass
class NumberedRun:
    round: int

    def as_dict(self):
        return dataclasses.asdict(self)


def resumed(path, **conditions):
    return Results(path, {**machine.describe(), **conditions}, resume=True, run_type=NumberedRun)


@pytest.fixture
def path(tmp_path):
    found = tmp_path / "measured.json"
    Results(found, machine.describe(), resume=False, run_type=NumberedRun).write([NumberedRun(0), NumberedRun(1)])
    return found


def test_rounds_go_on_behind_earlier_ones(path):
    results = resumed(path, busy=0.5, commit="another")
    assert results.next_rounds(2) == range(2, 4)
    results.write([NumberedRun(2)])
    assert [run["round"] for run in json.loads(path.read_text())["runs"]] == [0, 1, 2]


def test_all_rounds_give_what_was_measured(path):
    earlier, new = [NumberedRun(0), NumberedRun(1)], [NumberedRun(2)]
    assert resumed(path).finish(new) == earlier + new == resumed(path).earlier


def test_rounds_without_a_run_have_failed(path):
    results = resumed(path)
    results.leave_out(["left out: all of it"])
    with pytest.raises(programs.Failed, match="^nothing was measured: everything was left out$"):
        results.finish([])
    assert json.loads(path.read_text())["left_out"] == ["left out: all of it"]


def test_what_is_found_of_the_machine_after_all_runs_is_written(path):
    results = resumed(path)
    results.machine["found"] = 1
    results.write_again()
    assert "found" not in json.loads(path.read_text())["machine"], "there are earlier runs alone"
    results.write([NumberedRun(2)])
    results.machine["found"] = 2
    results.write_again()
    written = json.loads(path.read_text())
    assert written["machine"]["found"] == 2 and len(written["runs"]) == 3


@pytest.mark.parametrize("conditions", [{"settings": {"rate": "8gbit"}}, {"cpu": "another"}, {"reserved_huge_pages": 123456}])
def test_runs_under_other_conditions_are_not_added(path, conditions):
    with pytest.raises(ValueError, match="measured.json are of other conditions.*; give --output another name"):
        resumed(path, **conditions).next_rounds(1)


def test_runs_under_other_conditions_are_still_printed(path):
    results = resumed(path, cpu="another")
    assert results.next_rounds(0) == range(2, 2)
    assert results.earlier == [NumberedRun(0), NumberedRun(1)]


def test_rounds_of_a_case_have_as_many_trials(tmp_path):
    path, graph = tmp_path / "measured.json", Graph("kron", tmp_path)
    (tmp_path / "manifest.json").write_text("{}")
    run = Run(0, "bfs", "kron", "local", "own", 0, 1.0, 0.0, {"trial_seconds": [1.0, 1.0, 1.0]})
    Results(path, machine.describe(), resume=False).write([run])

    def resume(kernel, trials):
        settings = ways.Settings(iterations=1, trials=trials, precision="single")
        return Results(path, machine.describe(), resume=True).measure({ways.Case(kernel, graph): []}, {"kron": [0]}, settings, 1)

    for kernel, trials in (("bfs", 3), ("triangles", 1)):
        with pytest.raises(programs.Failed, match="nothing was measured"):  # there being no way to measure
            resume(kernel, trials)
    with pytest.raises(ValueError, match="bfs on kron has 3 trials a run"):
        resume("bfs", 1)
