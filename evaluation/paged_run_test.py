"""The page baseline's program, on graphs of which most pages are far."""

import json
import subprocess

import pytest

from harness import baselines
from harness.programs import commands

SAME = {"bfs": ("reached", "levels", "level_histogram"), "wcc": ("components",), "pagerank": ("iterations",)}


def paged_run(*arguments):
    return subprocess.run([baselines.PAGED_RUN, *map(str, arguments)], capture_output=True, text=True, check=False)


@pytest.fixture(scope="module", autouse=True)
def permitted():
    if (done := paged_run()).returncode == 8:
        pytest.skip(done.stderr)


@pytest.mark.parametrize("kernel, name, transport", [
    ("bfs", "urand10", "shm"), ("bfs", "kron10", "shm"), ("wcc", "urand10", "tcp"), ("pagerank", "urand10", "tcp")])
def test_the_answer_is_the_same(graphs, kernel, name, transport):
    graph = graphs / name
    local = commands.run_job(kernel, graph)
    with commands.memory_nodes(2) as nodes:
        done = paged_run(kernel, graph, nodes, f"--transport={transport}", "--far_ratio=0.7", "--threads=2", "--verify")
    report = json.loads(done.stdout)
    assert report["verified"]
    assert {name: report[name] for name in SAME[kernel]} == {name: local[name] for name in SAME[kernel]}
    assert report["far_ratio"] == pytest.approx(0.7)
    assert report["page_faults"] > 0
    assert report["pages_evicted"] > 0 or kernel == "wcc"  # which reads few lists
    assert report["bytes_fetched"] <= 4096 * report["pages_fetched"]


def test_a_budget_that_is_too_small_is_refused(graphs):
    with commands.memory_nodes(1) as nodes:
        done = paged_run("bfs", graphs / "kron10", nodes, "--far_ratio=1")
    assert done.returncode == 7
    assert "leave more of the edges local" in done.stderr


def test_without_memory_nodes_nothing_is_paged(graphs):
    done = paged_run("bfs", graphs / "kron10")
    assert done.returncode == 2
    assert done.stderr.startswith("paged_run: pages are fetched from --memory_nodes")
