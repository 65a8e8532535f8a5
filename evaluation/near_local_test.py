"""near_local on a tiny graph, piece by piece."""

import json
import os
import pathlib
import re

import pytest

from harness.host import permissions

BIN = pathlib.Path(os.environ.get("FARGRAPH_BIN_DIR", "build/release/bin")).resolve()


def test_pieces_add_up_to_one_summary(command, graphs, tmp_path):
    def run(*flags):
        return command("near_local", f"--graph=kron10={graphs / 'kron10'}", "--far_ratios=0.8", "--transports=shm",
                       "--trials=2", "--sources=1", "--patience=0", *flags, folder=tmp_path).stdout

    peer = f"--peer=gapbs={BIN}/fargraph run {{kernel}} {{graph}} --source={{source}} --json=-"
    run("--kernels=bfs", "--rounds=1", peer)
    run("--kernels=bfs", "--rounds=1", peer, "--resume")
    printed = run("--kernels=wcc", "--rounds=1", "--resume")
    runs = json.loads((tmp_path / "near_local.json").read_text())["runs"]
    assert sorted((run["round"], run["kernel"], run["way"]) for run in runs) == [
        (0, "bfs", "gapbs"), (0, "bfs", "local"), (0, "bfs", "shm 0.8"),
        (1, "bfs", "gapbs"), (1, "bfs", "local"), (1, "bfs", "shm 0.8"),
        (2, "wcc", "local"), (2, "wcc", "shm 0.8")]
    for run_of_far_edges in (run for run in runs if run["way"] == "shm 0.8"):
        assert 0.5 < run_of_far_edges["report"]["far_ratio"] <= 1
    [peers_line] = [line for line in printed.splitlines() if line.startswith("local / gapbs")]
    [far_line] = [line for line in printed.splitlines() if line.startswith("shm 0.8 / local")]
    assert peers_line.endswith("after 2 of 7 rounds")
    assert far_line.endswith("after 1 of 7 rounds")
    assert "mean 0.85, each 1.1" in peers_line
    first = {run["way"]: run["report"]["trial_seconds"][0] for run in runs if run["kernel"] == "wcc"}
    ratio = f"{first['shm 0.8'] / first['local']:.2f}"
    assert re.search(rf"^kron10 +wcc +{ratio} \({ratio}-{ratio}\)$", printed, re.MULTILINE)


def test_tcp_goes_over_a_loopback_device_of_its_own(command, graphs, tmp_path):
    if reason := permissions.why_no_own_loopback():
        pytest.skip(reason)
    printed = command("near_local", f"--graph=kron10={graphs / 'kron10'}", "--far_ratios=0.8", "--transports=tcp",
                      "--kernels=pagerank", "--trials=1", "--sources=1", "--rounds=1", "--patience=0", "--tcp_segments=512",
                      folder=tmp_path).stdout
    written = json.loads((tmp_path / "near_local.json").read_text())
    assert written["machine"]["settings"]["tcp_segments"] == "512"
    assert {run["way"] for run in written["runs"]} == {"local", "tcp 0.8", "copy"}
    assert "share of a loopback copy" in printed
