"""--local_memory is hard: a job keeps within it, or is refused with the number that would do.

What a process takes before it has a graph (code, libraries, stacks) comes on top: at most 64 MiB, measured here."""

import array
import json
import os
import random
import re
import shutil
import subprocess

import pytest

from budgets import MIB, NOISE_BYTES, PROCESS_BYTES, answer, check_budgets, run_within, smallest_budget
from commands import BIN, fargraph, memory_nodes, require_direct_io, run_job
from huge_pages import reserved_huge_pages
from memory_cgroup import budget

KERNELS = re.findall(r"^  (\w+) ", fargraph("help", "run").stdout.split("KERNEL is one of:")[1].split("\n\n")[0], re.M)


@pytest.fixture(scope="module")
def graph(tmp_path_factory):
    """16 MiB of edges and 4 MiB of weights between 131072 vertices."""
    directory = tmp_path_factory.mktemp("graphs") / "kron"
    fargraph("generate", "kron", directory, "--scale=17", "--degree=16", "--symmetrize", "--weights")
    return directory


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    directory = tmp_path_factory.mktemp("graphs") / "tiny"
    fargraph("generate", "kron", directory, "--scale=4", "--symmetrize", "--weights")
    return directory


@pytest.mark.parametrize("transport, parts", [("shm", [0, 0.1, 0.5, 1]), ("tcp", [0, 0.5])], ids=["shm", "tcp"])
@pytest.mark.parametrize("kernel", KERNELS)
def test_every_kernel_keeps_within_its_budget(graph, tiny, tmp_path, kernel, transport, parts):
    """Of the memory between its smallest budget and what it takes all local it gets these parts."""
    with memory_nodes(2) as nodes:
        check_budgets(kernel, graph, tiny, parts, tmp_path / "output", nodes, f"--transport={transport}", "--chunk_size=64KiB")


@pytest.mark.parametrize("model", ["kron", "uniform"])
def test_arrays_of_many_pages_keep_within_a_budget_trial_after_trial(tiny, tmp_path, model):
    """Where arrays are kept for the next trial, and a search has most vertices wait at once."""
    large = tmp_path / model
    fargraph("generate", model, large, "--scale=20", "--degree=8", "--symmetrize", "--weights")
    with memory_nodes(1) as nodes:
        far = [nodes, "--transport=shm", "--chunk_size=64KiB", "--trials=3"]
        for kernel in ("bc", "sssp", "wcc"):
            process_bytes = run_job(kernel, tiny, "--far_ratio=1", *far)["peak_memory_bytes"]
            smallest = smallest_budget(kernel, large, *far)
            report = run_within(smallest, kernel, large, *far)
            assert report["peak_memory_bytes"] <= smallest + process_bytes + NOISE_BYTES, kernel


@pytest.mark.parametrize("kernel", ["bfs", "pagerank", "sssp"])
def test_on_ssd_a_job_keeps_within_its_budget_too(graph, kernel):
    """In a cgroup, where page cache counts as well: direct IO needs none."""
    require_direct_io(graph)
    ssd = [f"--ssd_dirs={graph}", "--chunk_size=64KiB"]
    oracle = run_job(kernel, graph)
    smallest = smallest_budget(kernel, graph, *ssd)
    for part in [0, 0.1]:
        budget_bytes = int(smallest + part * (oracle["peak_memory_bytes"] - smallest))
        report = run_within(budget_bytes, kernel, graph, *ssd)
        assert report["transport"] == "ssd" and 0 < report["far_ratio"] <= 1
        assert (report["far_ratio"] == 1) == (part == 0)
        assert answer(report) == {field: pytest.approx(value, rel=1e-6) for field, value in answer(oracle).items()}


@pytest.mark.parametrize("kernel", ["bfs", "pagerank"])
def test_on_all_tiers_a_job_keeps_within_its_budget_too(graph, kernel):
    """Local memory, huge pages included, a memory node that is too small for the rest, and an SSD."""
    require_direct_io(graph)
    oracle = run_job(kernel, graph)
    with reserved_huge_pages(64), memory_nodes(1, capacity="10MiB") as nodes:
        tiers = [nodes, f"--ssd_dirs={graph}", "--chunk_size=64KiB"]
        smallest = smallest_budget(kernel, graph, *tiers)
        for part in [0, 0.1]:
            budget_bytes = int(smallest + part * (oracle["peak_memory_bytes"] - smallest))
            report = run_within(budget_bytes, kernel, graph, *tiers)
            assert report["transport"] == "shm+ssd" and 0 < report["ssd_ratio"] < report["far_ratio"]
            assert report["huge_pages_peak"] <= budget_bytes
            assert report["peak_memory_bytes"] <= budget_bytes + PROCESS_BYTES
            assert answer(report) == {field: pytest.approx(value, rel=1e-6) for field, value in answer(oracle).items()}


def test_without_a_budget_a_job_that_would_be_killed_is_refused(tmp_path):
    """In a cgroup that has less than the job takes; within what is left it then runs."""
    directory = tmp_path / "kron"
    fargraph("generate", "kron", directory, "--scale=19", "--symmetrize")
    takes = run_job("wcc", directory)["peak_memory_bytes"]
    with memory_nodes(1) as nodes, budget(takes // 2) as groups:
        refused = fargraph("run", "wcc", directory, check=False, preexec_fn=groups.enter)
        assert refused.returncode == 7 and groups.kills() == 0
        assert re.search(r"^fargraph: the job takes \S+ MiB of memory, of which \S+ MiB are left \(/sys/fs/cgroup/\S+\); it "
                         r"takes less with --local_memory and --memory_nodes or --ssd_dirs$", refused.stderr.strip())
        smallest = smallest_budget("wcc", directory, nodes)
        fargraph("run", "wcc", directory, nodes, f"--local_memory={smallest}B", preexec_fn=groups.enter)
        assert groups.kills() == 0


def test_a_memory_node_does_not_lend_what_its_cgroup_has_not():
    with budget(64 * MIB) as groups:
        node = subprocess.run([BIN / "fargraph-memory-node", "--listen=127.0.0.1:0", "--capacity=100MiB"], check=False,
                              capture_output=True, text=True, timeout=60, preexec_fn=groups.enter)
    assert node.returncode == 7
    assert re.search(r"cannot lend 100 MiB: this host has \S+ MiB of memory left \(/sys/fs/cgroup/\S+\); give a smaller "
                     r"--capacity$", node.stderr.strip())


def test_less_than_the_smallest_budget_is_refused(graph):
    with memory_nodes(1) as nodes:
        smallest = smallest_budget("wcc", graph, nodes)
        refused = fargraph("run", "wcc", graph, nodes, f"--local_memory={smallest - 1}B", check=False)
        assert refused.returncode == 7
        assert refused.stderr.strip().endswith(f"--local_memory={smallest}B")
        assert run_within(smallest, "wcc", graph, nodes)["far_ratio"] == 1


@pytest.mark.parametrize("kernel", ["bfs", "pagerank"])
def test_what_a_first_run_measures_fits_as_well(graph, tiny, tmp_path, kernel):
    """Of the machine and of the links, which later runs remember; with huge pages, which are not taken for that."""
    require_direct_io(graph)
    env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    with reserved_huge_pages(64), memory_nodes(1) as nodes:
        for directory in (tiny, graph):
            # Two measurements may choose different sizes, and so different budgets.
            far = [nodes, f"--ssd_dirs={directory}", "--chunk_size=64KiB"]
            smallest = smallest_budget(kernel, directory, *far)
            report = run_within(smallest, kernel, directory, *far, "--explain", env=env)
            assert report["huge_pages_peak"] <= smallest
            assert list(tmp_path.glob("fargraph/*")), "nothing was measured"
            shutil.rmtree(tmp_path / "fargraph")


# Of each kernel its flags and the arrays of state, and how often at most a run carries each of these over the link: to fill
# it, what an iteration or a source fetches and writes, and to bring the result home.
STATE = {"pagerank": (["--iterations=5"], {"next_contribution": 11}),
         "pagerank_delta": (["--iterations=5", "--threads=1"], {"rank": 12}),  # several threads add in any order
         "spmv": (["--iterations=2"], {"y": 6}),
         "bc": ([], {"score": 4, "levels": 2})}


@pytest.mark.parametrize("kernel, transport, precision", [
    ("pagerank", "shm", "double"), ("pagerank", "tcp", "single"), ("pagerank_delta", "shm", "double"),
    ("spmv", "shm", "single"), ("spmv", "tcp", "double"), ("bc", "tcp", "double")])
def test_state_goes_far_when_edges_are_not_enough(graph, tmp_path, kernel, transport, precision):
    """And comes back to the last bit, from a budget that was too small for it."""
    kernel_flags, state = STATE[kernel]
    with memory_nodes(2) as nodes:
        flags = [nodes, f"--transport={transport}", "--chunk_size=64KiB", "--buffers=4", f"--precision={precision}",
                 f"--output={tmp_path / 'output'}", *kernel_flags]
        edges_far = run_job(kernel, graph, "--far_ratio=1", *flags)
        output = (tmp_path / "output").read_bytes()
        budget_bytes = smallest_budget(kernel, graph, *flags)
        plan = fargraph("plan", kernel, graph, f"--local_memory={budget_bytes}B", "--json=-", *flags)
        segments = {segment["name"]: segment for segment in json.loads(plan.stdout)["segments"]}
        most_bytes = 0
        for name, times in state.items():
            assert segments[name]["far_bytes"] == segments[name]["bytes"] > segments[name]["local_bytes"] > 0
            most_bytes += times * segments[name]["bytes"]
        report = run_within(budget_bytes, kernel, graph, *flags)
        assert (tmp_path / "output").read_bytes() == output
        # Not bytes_fetched: how much a last scan starts ahead, for another that never comes, is a matter of time.
        carried = report["bytes_useful"] - edges_far["bytes_useful"]
        print(f"{kernel} {transport} {precision}: {carried / most_bytes:.3f} of {most_bytes} bytes")
        assert 0.5 * most_bytes < carried <= most_bytes


def test_parallel_edges_take_no_more(tmp_path):
    """A list of triangles that is longer than a block of it may be, because an edge is there a million times."""
    edges = array.array("I", array.array("H", random.Random(1).randbytes(8 * MIB)))
    edges.extend(array.array("I", [1, 0]) * MIB)
    (tmp_path / "pairs").write_bytes(edges.tobytes())
    fargraph("convert", tmp_path / "pairs", tmp_path / "graph", "--symmetrize")
    fargraph("generate", "uniform", tmp_path / "tiny", "--scale=4", "--symmetrize")
    process_bytes = run_job("triangles", tmp_path / "tiny")["peak_memory_bytes"]
    smallest = smallest_budget("triangles", tmp_path / "graph")
    assert run_within(smallest, "triangles", tmp_path / "graph")["peak_memory_bytes"] <= smallest + process_bytes + NOISE_BYTES


@pytest.mark.parametrize("name", ["cnr-2000", "USA-road-d.NY"])
def test_real_graphs_at_the_smallest_budget(graphs, name):
    with memory_nodes(1) as nodes:
        for _, kernel, directory, flags, check in graphs[name].jobs():
            smallest = smallest_budget(kernel, directory, nodes, *flags)
            check(run_within(smallest, kernel, directory, nodes, *flags))


def test_huge_pages_count(graph):
    """Local edges lie on huge pages where the host has some; the memory controller does not see these."""
    with reserved_huge_pages(64), memory_nodes(1) as nodes:
        budget_bytes = smallest_budget("wcc", graph, nodes) + 10 * MIB
        report = run_within(budget_bytes, "wcc", graph, nodes)
        if report["huge_pages_peak"] == 0:
            pytest.skip("others took the huge pages")
        assert 0 < report["far_ratio"] < 1
        assert report["huge_pages_peak"] <= budget_bytes
        assert report["peak_memory_bytes"] <= budget_bytes + PROCESS_BYTES
