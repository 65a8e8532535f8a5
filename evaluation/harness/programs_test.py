import pathlib
import sys

import pytest

from harness import machine, programs

HELP = """usage: fargraph run KERNEL GRAPH [flags]

KERNEL is one of:
  bfs        breadth-first search from --source (the vertex with most out-edges)
  kcore      core numbers

Flags:
  --far_ratio=VALUE
      The share that --memory_nodes hold
  --keep
      Leave them
"""


def test_kernels_are_read_from_the_help():
    assert programs.kernels_in(HELP) == ["bfs", "kcore"]


def test_a_failing_program_says_why_in_one_sentence():
    with pytest.raises(programs.Failed, match="ended with 3: the reason$"):
        programs.run([sys.executable, "-c", "import sys; print('noise\\nthe reason', file=sys.stderr); sys.exit(3)"])
    with pytest.raises(programs.Failed, match="cannot be started"):
        programs.run(["/no/such/program"])


def test_packages_have_the_evaluations_programs_outside_of_the_path(monkeypatch, tmp_path):
    monkeypatch.setattr(programs.commands, "BIN", tmp_path / "bin")
    assert programs.of_evaluation("paged_run") == str(tmp_path / "bin/paged_run")
    packaged = tmp_path / "libexec/fargraph/paged_run"
    packaged.parent.mkdir(parents=True)
    packaged.touch()
    assert programs.of_evaluation("paged_run") == str(packaged)


def test_a_memory_node_that_does_not_start_is_one_sentence(monkeypatch):
    monkeypatch.setattr(programs.commands, "BIN", pathlib.Path("/no/such/folder"))

    def main():
        with programs.memory_nodes(1):
            pass

    with pytest.raises(SystemExit, match="^measure: .*fargraph-memory-node: No such file or directory"):
        programs.run_main("measure", main)


def test_a_launcher_stands_before_the_program():
    assert programs.run(["a", "b"], ["echo", "-n"]) == ("a b", "")


def test_a_machine_without_git_has_no_commit(monkeypatch):
    monkeypatch.setenv("PATH", "/no/such/folder")
    assert machine.describe()["commit"] == "unknown"


def test_busy_ticks_are_all_but_idle_and_waiting():
    ticks = machine.Ticks.parse("cpu  10 1 5 100 20 2 3 4 0 0\ncpu0 1 1\n")
    assert ticks == machine.Ticks(idle=120, stolen=4, all=145)
    later = machine.Ticks.parse("cpu  40 1 5 120 20 2 3 54 0 0\n") - ticks
    assert (later.busy_share(), later.stolen_share()) == (0.3, 0.5)
