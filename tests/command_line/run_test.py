"""run: what it prints and writes, where, and what it leaves when it fails."""

import csv
import json
import os
import re
import resource

import pytest

FIELDS = {
    "algorithm", "graph", "vertices", "edges", "seconds", "trial_seconds", "load_seconds", "iterations", "transport", "far_ratio",
    "attached", "bytes_fetched", "bytes_useful", "requests", "stall_seconds", "link_peak_bytes_per_second",
    "peak_memory_bytes", "verified",
}
ANSWERS = {
    "apsp": {"sources", "max_distance", "pairs", "sum_distances"},
    "bc": {"sources", "sum", "top10"},
    "bfs": {"source", "reached", "levels", "level_histogram"},
    "wcc": {"components", "largest"},
    "pagerank": {"sum", "delta", "top10"},
    "pagerank_delta": {"sum", "delta", "top10"},
    "kcore": {"max_core", "core_histogram"},
    "mis": {"members"},
    "triangles": {"triangles"},
    "radii": {"estimate"},
    "spmv": {"sum", "largest", "top10"},
    "sssp": {"source", "reached", "max_distance", "farthest", "sum_distances"},
}


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_every_kernel_reports_its_fields(fargraph, graph):
    listed = fargraph.ok("help", "run").partition("KERNEL is one of:\n")[2].partition("\n\n")[0]
    assert set(re.findall(r"^  (\w+) ", listed, re.M)) == set(ANSWERS)
    for kernel, answer in ANSWERS.items():
        report = json.loads(fargraph.ok("run", kernel, graph, "--json=-", "--verify"))
        assert FIELDS | answer <= report.keys()
        assert report["algorithm"] == kernel
        assert report["graph"] == graph
        assert (report["vertices"], report["edges"]) == (4, 6)
        assert report["transport"] == "local"
        assert report["verified"] is True


def test_the_answer_is_in_the_ids_of_the_input(fargraph, graph):
    report = json.loads(fargraph.ok("run", "bfs", graph, "--source=7", "--json=-"))
    assert report["source"] == 7
    assert report["reached"] == 3
    assert report["level_histogram"] == [1, 1, 1]
    assert report["verified"] is None
    assert fargraph.ok("run", "bfs", graph, "--source=7", "--output=-") == (
        "# vertex level parent\n3 2 9\n7 0 7\n9 1 7\n40 -1 -1\n")


def test_the_iteration_log_adds_up(fargraph, graph):
    report = json.loads(fargraph.ok("run", "bfs", graph, "--trials=2", "--json=-", "--iteration_log=log.csv"))
    lines = list(csv.DictReader((fargraph.folder / "log.csv").open()))
    assert [line["trial"] for line in lines] == ["1"] * report["iterations"] + ["2"] * report["iterations"]
    last = [line for line in lines if line["trial"] == "2"]
    assert [int(line["iteration"]) for line in last] == list(range(1, report["iterations"] + 1))
    assert [int(line["active_vertices"]) for line in last] == report["level_histogram"]
    assert 0 < sum(float(line["seconds"]) for line in last) <= report["seconds"]
    assert {line["bytes_fetched"] for line in lines} == {"0"}


def test_files_and_a_summary(fargraph, graph):
    summary = fargraph.ok("run", "bfs", graph, "--source=3", "--output=levels", "--json=report.json", "--verify")
    assert summary.startswith("bfs on graph: 4 vertices, 6 edges\n")
    assert "\n  reached          3\n" in summary
    assert "\n  verified         yes\n" in summary
    assert (fargraph.folder / "levels").read_text() == "# vertex level parent\n3 0 3\n7 1 3\n9 2 7\n40 -1 -1\n"
    assert json.loads((fargraph.folder / "report.json").read_text())["reached"] == 3
    assert names(fargraph.folder) == ["edges.txt", "graph", "levels", "report.json"]


def test_nothing_is_said_beside_the_answer(fargraph, graph):
    result = fargraph("run", "wcc", graph, "--json=-")
    assert json.loads(result.stdout)
    assert result.stderr == ""


def test_binary_output(fargraph, graph):
    result = fargraph("run", "wcc", graph, "--output=-", "--output_format=binary", text=False)
    assert result.returncode == 0
    assert result.stdout.startswith(b"FGRESULT\x01\0\0\0\x02\0\0\0\x04\0\0\0\0\0\0\0vertex\0")


def test_threads(fargraph, graph):
    assert json.loads(fargraph.ok("run", "wcc", graph, "--threads=1", "--json=-"))["components"] == 1


def spins(fargraph, *arguments, **environment):
    """How long threads that wait for others do so at work, as OpenMP says last."""
    undecided = {name: value for name, value in fargraph.environment.items() if name != "OMP_WAIT_POLICY"}
    said = fargraph(*arguments, env={**undecided, "OMP_DISPLAY_ENV": "VERBOSE", **environment}).stderr
    return re.findall(r"GOMP_SPINCOUNT = '(\d+)'", said)[-1]


@pytest.mark.parametrize("command", ["run", "plan"])
def test_threads_sleep_while_they_wait_for_ssds(fargraph, graph, command):
    from_ssds = (command, "bfs", graph, f"--ssd_dirs={graph}", "--far_ratio=1")
    assert spins(fargraph, command, "bfs", graph) != "0"
    assert spins(fargraph, *from_ssds) == "0"
    assert spins(fargraph, *from_ssds, GOMP_SPINCOUNT="123") == "123"


def test_a_source_that_is_not_in_the_graph(fargraph, graph):
    assert "5" in fargraph.fails(2, "run", "bfs", graph, "--source=5")


def test_a_graph_that_is_not_there(fargraph):
    assert "nowhere" in fargraph.fails(3, "run", "bfs", "nowhere")


def test_outputs_that_cannot_be_written(fargraph, graph):
    for flag in ["--output", "--json"]:
        assert "nowhere/file" in fargraph.fails(3, "run", "bfs", graph, f"{flag}=nowhere/file")
        fargraph.fails(3, "run", "bfs", graph, f"{flag}={graph}")


def test_a_full_disk_leaves_the_older_output(fargraph):
    fargraph.ok("generate", "uniform", "graph", "--scale=14", "--degree=1")
    (fargraph.folder / "levels").write_text("older")

    def limit_files():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    sentence = fargraph.fails(7, "run", "bfs", "graph", "--output=levels", preexec_fn=limit_files)
    assert "levels" in sentence
    assert (fargraph.folder / "levels").read_text() == "older"
    assert names(fargraph.folder) == ["graph", "levels"]


def test_a_budget_that_is_too_small(fargraph):
    fargraph.ok("generate", "uniform", "graph", "--scale=14")
    fargraph.fails(7, "run", "pagerank", "graph", "--local_memory=1KiB")


def test_a_memory_node_that_is_not_there(fargraph, graph):
    sentence = fargraph.fails(5, "run", "bfs", graph, "--memory_nodes=127.0.0.1:1", "--far_ratio=1")
    assert "127.0.0.1:1" in sentence


def test_far_edges_give_the_same_output(fargraph, memory_node):
    fargraph.ok("generate", "kron", "graph", "--scale=12")
    local = fargraph.ok("run", "wcc", "graph", "--output=-")
    for transport in ["tcp", "shm"]:
        result = fargraph("run", "wcc", "graph", f"--memory_nodes={memory_node}", f"--transport={transport}",
                          "--far_ratio=1", "--chunk_size=4KiB", "--output=-", "--json=report.json")
        assert result.returncode == 0, result.stderr
        assert result.stdout == local
        assert transport in result.stderr
        report = json.loads((fargraph.folder / "report.json").read_text())
        assert report["transport"] == transport
        assert report["far_ratio"] == 1
        assert report["bytes_fetched"] > 0


def test_a_trace_of_what_is_read(fargraph, memory_node):
    """It asks for every list of an iteration, and says what belongs to which."""
    fargraph.ok("generate", "kron", "graph", "--scale=8", "--symmetrize")
    far = (f"--memory_nodes={memory_node}", "--far_ratio=1", "--read_trace=trace", "--iteration_log=log.csv", "--json=-")
    report = json.loads(fargraph.ok("run", "apsp", "graph", "--sources=4", *far))
    iterations = list(csv.DictReader((fargraph.folder / "log.csv").open()))
    lines = list(csv.reader((fargraph.folder / "trace").open()))
    assert len(lines) == report["requests"]
    times = dict.fromkeys(line[4] for line in lines)
    assert [sum(line[4] == time for line in lines) for time in times] == [
        int(one["requests"]) for one in iterations if one["requests"] != "0"]
    replayed = json.loads(fargraph.ok("replay", "trace", "--json", "--window=time", "--merge_gap=0"))
    assert replayed["requests"] == len(lines)
    assert replayed["ways"][3]["useful_bytes"] >= report["bytes_useful"] > 0


def test_memory_nodes_alone_make_no_edge_far_and_the_run_says_so(fargraph, graph, memory_node):
    hint = "far ratio 0: all edges stay local; give --far_ratio or --local_memory\n"
    nodes = f"--memory_nodes={memory_node}"
    assert hint in fargraph("run", "wcc", graph, nodes).stderr
    for flags in ([nodes, "--far_ratio=0"], [nodes, "--local_memory=1GiB"], []):
        assert hint not in fargraph("run", "wcc", graph, *flags).stderr


def test_standard_output_by_its_other_name(fargraph, graph):
    """A file that standard output is appended to keeps what it has, and gets no report beside the JSON."""
    log = fargraph.folder / "log"
    log.write_text("before\n")
    with log.open("a") as appended:
        assert fargraph("run", "wcc", graph, "--json=/dev/stdout", stdout=appended).returncode == 0
    first, report = log.read_text().split("\n", 1)
    assert first == "before"
    assert json.loads(report)["components"] == 1


def test_two_outputs_to_one_file(fargraph, graph):
    assert "--output and --json both write to" in fargraph.fails(2, "run", "wcc", graph, "--output=result", "--json=./result")
    fargraph.ok("run", "wcc", graph, "--output=/dev/null", "--json=/dev/null")


def test_a_closed_standard_output(fargraph, graph):
    """What would be printed is lost, which is an error, and does not get into a file instead."""
    assert fargraph("info", graph, "--json=report", preexec_fn=lambda: os.close(1)).returncode == 1
    assert json.loads((fargraph.folder / "report").read_text())["vertices"] == 4
