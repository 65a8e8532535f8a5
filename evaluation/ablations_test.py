"""Every sweep on tiny graphs: that each run did what its name says, that all gave the same answer, and what is written."""

import json
import os
import pathlib
import subprocess

import pytest

from harness.host import permissions
from harness.programs import commands

HERE = pathlib.Path(__file__).resolve().parent
GRAPHS = ("kron10", "urand10")
HEADS = (0, 1, 2, 4, 8)
CHUNKS_KIB = tuple(4 << power for power in range(11))
ANSWERS = {"bfs": ("reached", "levels", "level_histogram"), "wcc": ("components", "largest")}


@pytest.fixture
def sweep(command, graphs, tmp_path):
    """Runs a sweep with one kernel or more on the first of the graphs or all, checks what holds for all sweeps, and returns
    what was printed and {(kernel, graph): {way: report}}."""

    def run(name, *flags, names=GRAPHS[:1], kernels="bfs"):
        done = command("ablations", name, *[f"--graph={graph}={graphs / graph}" for graph in names], *flags,
                       f"--kernels={kernels}", "--rounds=1", "--trials=1", "--sources=1", "--patience=0", folder=tmp_path)
        written = json.loads((tmp_path / f"ablation.{name}.json").read_text())
        assert written["left_out"] == []
        assert written["machine"]["cores"] > 0
        assert (tmp_path / f"ablation.{name}.svg").exists() or "python3-matplotlib is missing" in done.stderr
        reports = {}
        for one in written["runs"]:
            reports.setdefault((one["kernel"], one["graph"]), {})[one["way"]] = one["report"]
        for (kernel, _), by_way in reports.items():
            assert len({json.dumps([report[field] for field in ANSWERS[kernel]]) for report in by_way.values()}) == 1
        return done.stdout, reports

    return run


def test_far_ratio(sweep):
    _, found = sweep("far_ratio", "--flags=--chunk_size=4KiB")
    for reports in found.values():
        assert len(reports) == 11
        for way, report in reports.items():
            assert report["far_ratio"] == pytest.approx(float(way), abs=0.1)
        assert reports["0"]["bytes_fetched"] == 0 < reports["1"]["bytes_fetched"]


def test_chunk_size(sweep):
    printed, found = sweep("chunk_size")
    for reports in found.values():
        assert {way: report["chunk_bytes"] for way, report in reports.items() if way != "tuned"} == {
            f"{size}KiB": size << 10 for size in CHUNKS_KIB}
        assert f"{reports['tuned']['chunk_bytes'] >> 10}KiB" in printed
    assert "tuned / best by hand" in printed


def test_heads_leave_less_to_fetch(sweep):
    printed, found = sweep("heads", "--flags=--chunk_size=4KiB", names=GRAPHS, kernels="bfs,wcc")
    for case in (("bfs", "kron10"), ("wcc", "kron10"), ("wcc", "urand10")):
        fetched = [found[case][str(count)]["bytes_fetched"] for count in HEADS]
        assert fetched[HEADS.index(2)] < fetched[0] / 2
    assert "of the bytes of all edges" in printed


@pytest.mark.parametrize("name, more", [("buffers", 0), ("depth", 1)])
def test_buffers(sweep, name, more):
    printed, found = sweep(name)
    for reports in found.values():
        assert len(reports) > 7
        assert all(report["buffers"] == int(way) + more for way, report in reports.items() if way != "tuned")
    assert "time saved against 1" in printed


def test_buffers_for_edges_on_ssds(sweep, graphs):
    commands.require_direct_io(graphs)
    _, found = sweep("buffers", "--transport=ssd", "--flags=--chunk_size=4KiB")
    for reports in found.values():
        assert {report["transport"] for report in reports.values()} == {"ssd"}
        assert {way: report["buffers"] for way, report in reports.items() if way != "tuned"} == {
            str(count): count for count in range(1, 9)}


def test_devices(sweep, graphs, tmp_path):
    commands.require_direct_io(graphs)
    directories = [tmp_path / name for name in "abcd"]
    for directory in directories:
        directory.mkdir()
    printed, found = sweep("devices", f"--ssd_dirs={','.join(map(str, directories))}", "--flags=--chunk_size=4KiB")
    assert "4 directories on 1 device(s)" in printed
    for reports in found.values():
        assert sorted(reports) == ["1", "2", "4"]
        assert all(report["transport"] == "ssd" and not report["attached"] for report in reports.values())
    assert not any(any(directory.iterdir()) for directory in directories)


def test_threads(sweep):
    _, found = sweep("threads")
    for reports in found.values():
        assert [int(way) for way in sorted(reports, key=int)][-1] == len(os.sched_getaffinity(0))


def test_segments(sweep):
    if reason := permissions.why_no_own_loopback():
        pytest.skip(reason)
    _, found = sweep("segments", "--transport=tcp")
    for reports in found.values():
        assert set(reports) == {"64KiB", "128KiB", "256KiB", "512KiB"}
        assert {report["transport"] for report in reports.values()} == {"tcp"}


@pytest.mark.parametrize("flags", [[], ["--transport=tcp", "--rate=8gbit"]])
def test_segments_are_those_of_tcp_over_loopback(graphs, flags):
    done = subprocess.run([HERE / "ablations", "segments", f"--graph=kron10={graphs / 'kron10'}", *flags],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "segments: those of tcp over loopback are changed" in done.stderr


def test_huge_pages(sweep):
    printed, found = sweep("huge_pages", "--far_ratio=0")
    for reports in found.values():
        assert list(reports) in (["off", "on"], ["on", "off"])
    assert "millions of loads that missed the data TLB" in printed or "data-TLB misses were not counted: " in printed
