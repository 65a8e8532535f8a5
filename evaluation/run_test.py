"""The paper's evaluation in its smallest size."""

import json

import pytest

from harness import programs
from harness.graphs import Graph
from harness.host import permissions
from harness.programs import commands
from harness.ways import Case
from paper.bench import Bench
from paper.blocks import BaselinesBlock, PlacementsBlock
from paper.sizes import SIZES


@pytest.fixture
def evaluate(command, graphs, tmp_path):
    """Runs experiments on kron10; returns what was said and the lines of the journal."""

    def run(*names):
        done = command("run", *names, "--size=smoke", f"--graph=kron10={graphs / 'kron10'}", "--output=out", "--patience=0",
                       folder=tmp_path)
        return done.stderr, (tmp_path / "out/cells.jsonl").read_text().splitlines()

    return run


def keys(lines):
    return [(line["cell"]["experiment"], line["cell"]["kernel"], line["cell"]["way"]) for line in map(json.loads, lines)]


def test_a_measurement_that_was_killed_goes_on_where_it_was(evaluate, tmp_path):
    said, lines = evaluate("buffering")
    assert sorted(keys(lines)) == [("buffering", kernel, way) for kernel in ("bfs", "pagerank") for way in ("1", "tuned")]
    assert all(json.loads(line)["machine"]["cores"] > 0 for line in lines)
    assert "4/4  buffering: pagerank on kron10" in said
    assert "0:00:00 left" in said

    (tmp_path / "out/cells.jsonl").write_text("\n".join(lines[:3]) + "\n" + lines[3][:40])
    said, again = evaluate("buffering", "cost")
    assert again[:3] == lines[:3]
    assert sorted(keys(again)) == sorted(keys(lines))
    assert "buffering: bfs" not in said
    titles = [line for line in (tmp_path / "out/report.md").read_text().splitlines() if line.startswith("## ")]
    assert titles == ["## Buffers that hide the link", "## What capacity costs"]


def test_baselines_have_the_limit_of_the_earlier_ones(graphs):
    if reason := permissions.why_no_memory_cgroup():
        pytest.skip(reason)
    commands.require_direct_io(graphs)
    bench = Bench(SIZES["smoke"], graphs, (), "shm", None, str(graphs), None, 0)
    block = BaselinesBlock("ratio", Case("bfs", Graph("kron10", graphs / "kron10")), 0.8, ("original", "fargraph"), sweeps=True)
    with block.opened(bench, None) as (_, limit_bytes):
        assert limit_bytes > 1 << 20
    with block.opened(bench, 2 * limit_bytes) as (ways, doubled):
        assert doubled == 2 * limit_bytes
        assert [way.name for way in ways] == block.way_names == ["original 0.8", "fargraph 0.8"]
        for way in ways:
            assert far_ratio(way, block, bench) > 0.5


def test_swap_that_is_not_to_be_had_costs_no_other_baseline(graphs):
    if reason := permissions.why_no_memory_cgroup():
        pytest.skip(reason)
    bench = Bench(SIZES["smoke"], graphs, (), "shm", None, "/proc", None, 0)
    block = BaselinesBlock("overall", Case("bfs", Graph("kron10", graphs / "kron10")), 0.8, ("oracle", "swap"))
    with block.opened(bench, 1 << 28) as (ways, _):
        assert [way.name for way in ways] == ["oracle", "swap"]
        with pytest.raises(programs.Failed, match="swap file"):
            ways[1].run(block.case, 0, bench.settings(block))


def far_ratio(way, block, bench):
    return way.run(block.case, bench.sources(block.case.graph)[0], bench.settings(block))[1]["far_ratio"]


def test_placements_run_without_limit(graphs):
    bench = Bench(SIZES["smoke"], graphs, (), "tcp", None, str(graphs), None, 0)
    block = PlacementsBlock("table1", Case("bfs", Graph("kron10", graphs / "kron10")), (0, 1))
    with block.opened(bench, None) as (ways, limit_bytes):
        assert limit_bytes is None
        assert [(way.name, far_ratio(way, block, bench)) for way in ways] == [("local", 0), ("far 1", 1)]
