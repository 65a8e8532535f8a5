"""ssd on a tiny graph."""

import json
import re
import shutil

import pytest

from harness.host import permissions
from harness.programs import commands

pytestmark = pytest.mark.skipif(shutil.which("fio") is None, reason="fio is missing: deploy/install_packages evaluation/packages.txt")
SCAN = re.compile(r"^kron10 +spmv +(\d+) +(\d+) +[\d.]+ \(.*\) +0.9 +(\d+) +[\d.]+ \(", re.MULTILINE)


def sparse_lines(printed):
    """The table of iterations that read a few lists."""
    return re.search(r"^graph +sparse phases of.*?\n\n", printed, re.MULTILINE | re.DOTALL)[0]


@pytest.fixture(autouse=True)
def permitted(graphs):
    if reason := permissions.why_no_memory_cgroup():
        pytest.skip(reason)
    commands.require_direct_io(graphs)


def test_scans_and_searches_are_held_against_the_device(command, graphs, tmp_path):
    printed = command("ssd", f"--graph=kron10={graphs / 'kron10'}", "--kernels=bfs,spmv", "--rounds=1", "--sources=1",
                      "--patience=0", "--budget=64", "--peer=slow=echo {budget_mib}",
                      "--peer_pattern=([0-9]+)", folder=tmp_path).stdout
    written = json.loads((tmp_path / "ssd.json").read_text())
    runs = written["runs"]
    assert {(run["kernel"], run["way"]) for run in runs} == {
        (kernel, way) for kernel in ("bfs", "spmv") for way in ("ssd", "budget", "slow")} | {
            ("spmv", "copy"), ("spmv", "copy with busy processors")}
    for run in (run for run in runs if run["way"] == "ssd"):
        assert run["report"]["transport"] == "ssd"
        assert sum(fields[4] for fields in run["report"]["log"]) <= run["report"]["bytes_fetched"]
    edges = json.loads((graphs / "kron10/manifest.json").read_text())["edges"]
    assert {run["seconds"] for run in runs if run["way"] == "slow"} == {64 * 4 * edges >> 20}
    assert min(map(int, SCAN.search(printed).groups())) > 0
    assert re.search(r"share of fio's +at least +of fio's, busy +useful +waited$", printed, re.MULTILINE)
    assert re.search(r"^kron10 +bfs +\d+% +(\d+ +\d+ +[\d.]+ +0.8 +[\d.]+ +\d+%|- )", printed, re.MULTILINE)
    assert "slow / ours" in printed
    assert set(written["machine"]["random_read_seconds"]) == {"kron10"}
    again = command("ssd", f"--graph=kron10={graphs / 'kron10'}", "--rounds=0", "--resume", "--budget=64", folder=tmp_path).stdout
    assert sparse_lines(again) == sparse_lines(printed)
    assert re.search(r"^all +geometric mean +- +[\d.]+$", printed, re.MULTILINE)


def test_all_read_as_slowly_as_is_said(command, graphs, tmp_path):
    if reason := permissions.why_no_slow_device(graphs):
        pytest.skip(reason)
    printed = command("ssd", f"--graph=kron10={graphs / 'kron10'}", "--kernels=spmv", "--rounds=1", "--sources=1", "--patience=0",
                      "--budget=64", "--slow_device=20,2000", folder=tmp_path).stdout
    assert "reads are limited to 20 MB/s and 2000 reads a second\n" in printed
    _, idle, busy = map(int, SCAN.search(printed).groups())  # what the scan reads is less than fits into a moment
    assert max(idle, busy) <= 25
