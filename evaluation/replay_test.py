"""trace and replay on tiny traces: what each run was told, what its ways read, and what is written."""

import json
import subprocess

import pytest
from conftest import HERE
from harness import programs

TINY = ("--requests=500", "--size=4", "--patience=0")


@pytest.fixture
def replay(command, tmp_path):
    """Runs it; returns what was printed and {(trace, sweep, value): report} of the last round."""

    def run(*arguments):
        command("trace", "oltp", "probe.spc", "--requests=9", "--size=2", folder=tmp_path)
        (tmp_path / "probe").write_bytes(bytes(4 << 20))
        done = subprocess.run([HERE / "replay", "ways", "--trace", "probe=probe.spc", "--rounds=1", "--patience=0",
                               "--flags=--block_size=4KiB", "--output=probe"],
                              cwd=tmp_path, capture_output=True, text=True, check=False)
        if "direct IO" in done.stderr:
            pytest.skip("the file system of temporary files has no direct IO")
        done = command("replay", *arguments, *TINY, folder=tmp_path)
        assert not list(tmp_path.glob("fargraph-*"))
        runs = json.loads((tmp_path / "replay.json").read_text())["runs"]
        return done, {(one["trace"], one["sweep"], one["value"]): one["report"] for one in runs}

    return run


def test_every_sweep_of_generated_traces(replay, tmp_path):
    done, reports = replay("merge_gap", "request_size", "window", "--kinds=oltp,mixed", "--rounds=1",
                           "--flags=--block_size=4KiB")
    assert len(reports) == 2 * (6 + 5 + 4)
    for (_, sweep, value), report in reports.items():
        ways = {way["way"]: way for way in report["ways"]}
        assert report["requests"] == 500 and all(way["seconds"] > 0 for way in ways.values())
        assert ways["bitmap"]["requests"] == ways["list"]["requests"] <= ways["batch"]["requests"]
        if (sweep, value) == ("window", "256"):
            assert report["window"] == 256
        if (sweep, value) == ("request_size", "64KiB"):
            assert report["request_bytes"] == 65536
    for kind in ("oltp", "mixed"):
        read = [reports[kind, "merge_gap", gap]["ways"][3]["requests"] for gap in ("0B", "4KiB", "32KiB")]
        assert read == sorted(read, reverse=True) and read[0] > read[-1]
        windows = [reports[kind, "window", window]["ways"][3]["bytes"] for window in ("256", "all")]
        assert windows[0] > windows[1]
    for sweep in ("merge_gap", "request_size", "window"):
        assert (tmp_path / f"replay.{sweep}.svg").exists() or "python3-matplotlib is missing" in done.stderr


def test_given_traces_and_more_rounds(command, replay, tmp_path):
    command("trace", "search", "given.spc", "--requests=300", "--size=2", "--seed=7", folder=tmp_path)
    arguments = ("ways", "--trace", "given=given.spc", "--flags=--block_size=4KiB")
    replay(*arguments, "--rounds=1")
    done, reports = replay(*arguments, "--rounds=2", "--resume")
    assert list(reports) == [("given", "ways", "")]
    runs = json.loads((tmp_path / "replay.json").read_text())["runs"]
    assert [run["round"] for run in runs] == [0, 1, 2]
    assert [line.split()[1] for line in done.stdout.splitlines() if line.startswith("given")] == ["direct", "batch", "list", "bitmap"]


def test_traces_of_jobs(command, replay, tmp_path):
    """Planned iteration by iteration, however the settings are swept."""
    programs.run([programs.FARGRAPH, "generate", "kron", tmp_path / "kron", "--scale=10"])
    done, reports = replay("ways", "block_size", "--graph", f"small={tmp_path}/kron", "--kernels=apsp", "--rounds=1",
                           "--flags=--block_size=4KiB")
    assert {trace for trace, _, _ in reports} == {"apsp on small"}
    assert {report["window"] for report in reports.values()} == {"time"}
    blocks = {value: report["ways"][3] for (_, sweep, value), report in reports.items() if sweep == "block_size"}
    assert blocks["512B"]["useful_bytes"] == blocks["4KiB"]["useful_bytes"]
    assert blocks["512B"]["bytes"] < blocks["4KiB"]["bytes"]


def test_a_trace_is_what_its_arguments_say(command, tmp_path):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        command("trace", "mixed", name, "--requests=100", "--size=2", f"--seed={seed}", folder=tmp_path)
    a, b, c = ((tmp_path / name).read_text() for name in "abc")
    assert a == b != c
    assert len(a.splitlines()) == 100


def test_what_cannot_be(tmp_path):
    for name, *arguments in (("replay", "speed"), ("replay", "--kinds=tape"), ("replay", "--trace=x"), ("trace", "tape", "x"),
                             ("trace", "oltp", "x", "--size=0")):
        done = subprocess.run([HERE / name, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode != 0 and "Traceback" not in done.stderr, done.stderr
    assert not list(tmp_path.iterdir())
