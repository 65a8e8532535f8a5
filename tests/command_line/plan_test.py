"""plan: what a run would take, as a table and as JSON, and that the run then takes it."""

import json

import pytest

FIELDS = ["algorithm", "graph", "vertices", "edges", "threads", "transport", "far_ratio", "peak_memory_bytes", "bytes_fetched",
          "bytes_fetched_per_iteration", "seconds", "basis", "process_bytes", "huge_pages_wanted", "huge_pages_available",
          "smallest_budget_bytes", "chunk_bytes", "buffers", "compressed", "link_peak_bytes_per_second", "segments", "far_ratios"]


@pytest.fixture
def kron(fargraph):
    fargraph.ok("generate", "kron", "kron", "--scale=14", "--symmetrize")
    return "kron"


def plan(fargraph, *arguments):
    return json.loads(fargraph.ok("plan", *arguments, "--json"))


def test_all_local(fargraph, kron):
    report = plan(fargraph, "bfs", kron)
    assert list(report) == FIELDS
    assert (report["transport"], report["far_ratio"], report["bytes_fetched"]) == ("local", 0, 0)
    assert report["far_ratios"] == []
    assert {segment["name"] for segment in report["segments"]} >= {"out.edges", "out.index", "level", "parent", "frontier"}
    assert report["peak_memory_bytes"] == report["process_bytes"] + sum(
        segment["local_bytes"] for segment in report["segments"])


def test_the_tables(fargraph, kron, memory_node):
    lines = fargraph.ok("plan", "wcc", kron, f"--memory_nodes={memory_node}", "--far_ratio=0.8").splitlines()
    assert lines[0].startswith("wcc on kron: ")
    assert lines[2].split() == ["segment", "group", "size", "local", "far", "chunk"]
    assert lines[3].startswith("out.edges        1 streamed ")
    ratios = [line.split()[0] for line in lines if "estimate" in line and "time" not in line]
    assert ratios == ["0.000", "0.500", "0.800", "0.950", "1.000"]
    assert lines[-1].startswith("smallest budget  --local_memory=")


def test_a_run_takes_what_was_planned(fargraph, kron, memory_node):
    flags = ["pagerank", kron, f"--memory_nodes={memory_node}", "--far_ratio=0.8", "--iterations=3"]
    before = plan(fargraph, *flags)
    assert before["basis"] == "estimate"
    run = json.loads(fargraph.ok("run", *flags, "--json=-"))
    assert before["bytes_fetched"] == pytest.approx(run["bytes_fetched"], rel=0.2)
    assert before["peak_memory_bytes"] == pytest.approx(run["peak_memory_bytes"], rel=0.2)

    after = plan(fargraph, *flags)
    assert after["basis"] == "measured"
    assert (after["seconds"], after["bytes_fetched"]) == (run["seconds"], run["bytes_fetched"])
    assert after["bytes_fetched_per_iteration"] == run["bytes_fetched"] // 3
    assert plan(fargraph, *flags, "--transport=tcp")["basis"] == "from other runs"
    assert plan(fargraph, *flags, "--precision=single")["basis"] == "estimate"


def test_the_smallest_budget_is_the_one_that_a_run_accepts(fargraph, kron, memory_node):
    flags = ["bfs", kron, f"--memory_nodes={memory_node}", "--output=levels"]
    smallest = plan(fargraph, *flags)["smallest_budget_bytes"]
    fargraph.ok("run", *flags, f"--local_memory={smallest}B")
    for command in ("plan", "run"):
        refused = fargraph(command, *flags, f"--local_memory={smallest - 1}B")
        assert refused.returncode == 7
        assert refused.stderr.splitlines()[-1].endswith(f"--local_memory={smallest}B")


def test_explain_says_the_same_before_the_run(fargraph, kron):
    run = fargraph("run", "wcc", kron, "--explain", "--json=-")
    assert json.loads(run.stdout)["algorithm"] == "wcc"
    assert run.stderr.startswith("wcc on kron: ")
    assert "\nsmallest budget  --local_memory=" in run.stderr


def test_a_plan_writes_nothing(fargraph, kron):
    before = sorted(fargraph.folder.iterdir())
    fargraph.ok("plan", "bfs", kron, "--output=levels")
    assert sorted(fargraph.folder.iterdir()) == before


def test_a_damaged_or_unwritable_history_is_no_error(fargraph, kron):
    cache = fargraph.folder / "cache"
    fargraph.environment["XDG_CACHE_HOME"] = str(cache)
    fargraph.ok("run", "wcc", kron)
    runs = cache / "fargraph" / "runs.json"
    runs.write_text("no json")
    assert plan(fargraph, "wcc", kron)["basis"] == "estimate"
    fargraph.ok("run", "wcc", kron)
    assert plan(fargraph, "wcc", kron)["basis"] == "measured"
    fargraph.environment["XDG_CACHE_HOME"] = "/dev/null"
    fargraph.ok("run", "wcc", kron)


def test_errors_are_those_of_a_run(fargraph, kron):
    assert "walk" in fargraph.fails(2, "plan", "walk", kron)
    fargraph.fails(3, "plan", "bfs", "nowhere")
    fargraph.fails(2, "plan", "bfs", kron, "--far_ratio=0.5")
    fargraph.fails(2, "plan", "bfs", kron, "--source=99999999")
    fargraph.fails(5, "plan", "bfs", kron, "--memory_nodes=127.0.0.1:1", "--far_ratio=0.5")
    fargraph.fails(2, "plan", "bfs", kron, "--explain")


def test_memory_nodes_come_before_ssds(fargraph, kron, memory_node):
    if fargraph("probe", "--ssd_dirs=kron").returncode == 8:
        pytest.skip("the file system has no direct IO")
    # Which have room for all.
    flags = ["bfs", kron, f"--memory_nodes={memory_node}", "--ssd_dirs=kron", "--far_ratio=0.8"]
    report = plan(fargraph, *flags)
    assert report["transport"] == "shm+ssd"
    assert {segment["ssd_bytes"] for segment in report["segments"]} == {0}
    assert fargraph.ok("plan", *flags).splitlines()[2].split() == [
        "segment", "group", "size", "local", "far", "SSD", "chunk"]
    alone = plan(fargraph, "bfs", kron, "--ssd_dirs=kron", "--far_ratio=0.8")
    assert all(segment["ssd_bytes"] == segment["far_bytes"] for segment in alone["segments"])
