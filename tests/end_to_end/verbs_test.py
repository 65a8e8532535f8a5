"""The smaller real graphs over verbs: on a host with an RDMA device, and in the testbed, which has one."""

import json
import os
import pathlib
import subprocess

import pytest

from budgets import check_budgets
from commands import BIN, fargraph, memory_nodes, run_job
from real_graphs import EVERYWHERE

HOST = os.environ.get("FARGRAPH_TEST_HOST", "127.0.0.1")
# The graph, and of how many memory nodes what share is far: a machine that is emulated has no time for all products.
PLACEMENTS = [("wiki-Vote", 1, 1.0), ("wiki-Vote", 3, 0.8), ("facebook_combined", 3, 0.8), ("p2p-Gnutella31", 1, 1.0)]
ALL_KERNELS = ("wiki-Vote", 3, 0.8)

pytestmark = pytest.mark.skipif(not any(pathlib.Path("/sys/class/infiniband").glob("*")),
                                reason="this host has no RDMA device; tests/testbed/suites/end_to_end brings one")


@pytest.fixture(name="token_flag")
def fixture_token_flag(tmp_path):
    """Beyond loopback a memory node wants a token."""
    path = tmp_path / "token"
    path.write_text("0123456789abcdef\n")
    path.chmod(0o600)
    return f"--token_file={path}"


@pytest.mark.parametrize("name, node_count, far_ratio", PLACEMENTS)
def test_reference_answers(graphs, name, node_count, far_ratio, token_flag):
    with memory_nodes(node_count, token_flag, host=HOST) as nodes:
        for what, kernel, directory, flags, check in graphs[name].jobs():
            if kernel not in EVERYWHERE and (name, node_count, far_ratio) != ALL_KERNELS:
                continue
            report = run_job(kernel, directory, "--verify", f"--far_ratio={far_ratio}", "--chunk_size=16KiB",
                             nodes, token_flag, *flags)
            print(what, report["seconds"], report["bytes_fetched"], report["requests"])
            assert report["transport"] == "verbs"  # which --transport=auto chose
            assert report["verified"] is True
            assert report["bytes_fetched"] >= report["bytes_useful"] > 0
            check(report)


@pytest.mark.parametrize("kernel", ["bfs", "pagerank"])
def test_jobs_keep_within_their_budget(tmp_path, kernel, token_flag):
    """On the testbed's kernel, which makes huge pages of all memory where it can: of stacks as well, if these have room."""
    directories = []
    for scale in (16, 4):
        directories.append(tmp_path / f"kron{scale}")
        fargraph("generate", "kron", directories[-1], f"--scale={scale}", "--symmetrize")
    with memory_nodes(2, token_flag, host=HOST) as nodes:
        check_budgets(kernel, *directories, [0, 0.1], tmp_path / "output", nodes, token_flag, "--chunk_size=64KiB")


def test_pages_are_fetched(graphs, token_flag):
    """By the pager that evaluation/baselines compares with."""
    directory = graphs["facebook_combined"].directory("undirected")
    with memory_nodes(1, token_flag, host=HOST) as nodes:
        done = subprocess.run([BIN / "paged_run", "pagerank", directory, nodes, token_flag, "--transport=verbs", "--far_ratio=0.8",
                               "--verify"], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["transport"] == "verbs" and report["verified"] is True
    assert report["page_faults"] > 0 and report["pages_evicted"] > 0
