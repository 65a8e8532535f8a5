"""partition on tiny graphs: that parts are balanced, that nothing is left behind, and what is written."""

import json
import subprocess

from conftest import HERE


def test_balanced_parts_are_balanced_and_all_is_printed(command, graphs, tmp_path):
    names = ("kron10", "urand10")
    done = command("partition", *[f"--graph={name}={graphs / name}" for name in names], "--rows=2", "--columns=2",
                   "--devices=3", "--rounds=1", "--patience=0", folder=tmp_path)
    written = json.loads((tmp_path / "partition.json").read_text())
    assert [run["graph"] for run in written["runs"]] == list(names)
    for report in (run["report"] for run in written["runs"]):
        assert report["balanced"]["imbalance"] < 1.1 and report["balanced_rows"]["imbalance"] < 1.1
        assert report["lists"]["sum_seconds"] > 0 and report["stripes"]["seconds"] > 0
        searched = [report[layout]["search"] for layout in ("stripes", "plain", "balanced", "balanced_rows")]
        assert all(search["imbalance"] >= 1 and search["seconds"] > 0 for search in searched)
        assert all(search["bytes"] >= 4 * report["edges"] / 2 for search in searched)
    kron = written["runs"][0]["report"]
    assert kron["plain"]["imbalance"] > 2 * kron["balanced"]["imbalance"]
    assert "balanced / plain" in done.stdout and "stripes / plain" in done.stdout and "busiest device" in done.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["partition.json"]


def test_where_every_run_fails_the_command_does(graphs, tmp_path):
    done = subprocess.run([HERE / "partition", f"--graph=kron10={graphs / 'kron10'}", "--rows=0", "--rounds=2", "--patience=0"],
                          cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and done.stderr.count("left out: kron10, round") == 2, done.stderr
    assert done.stderr.endswith("partition: nothing was measured: everything was left out\n")
