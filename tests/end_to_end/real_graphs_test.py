"""Every kernel on every real graph, wherever the edges lie, gives the reference answer and passes its own verifier."""

import pytest

from commands import fargraph, memory_nodes, require_direct_io, run_job
from real_graphs import DATA, EVERYWHERE, INPUTS

# Every transport, number of nodes and far ratio, not all of their products.
PLACEMENTS = [("shm", 1, 0.5), ("shm", 3, 0.8), ("tcp", 1, 0.8), ("tcp", 3, 1.0)]
ALL_KERNELS = ("tcp", 3, 1.0)


@pytest.mark.parametrize("name", INPUTS)
def test_all_local(graphs, name):
    for _, kernel, directory, flags, check in graphs[name].jobs(every_source=True):
        report = run_job(kernel, directory, "--verify", *flags)
        assert report["verified"] is True
        assert report["bytes_fetched"] == 0
        check(report)


@pytest.mark.parametrize("transport, node_count, far_ratio", PLACEMENTS)
@pytest.mark.parametrize("name", INPUTS)
def test_far(graphs, name, transport, node_count, far_ratio):
    with memory_nodes(node_count) as nodes:
        for what, kernel, directory, flags, check in graphs[name].jobs():
            if kernel not in EVERYWHERE and (transport, node_count, far_ratio) != ALL_KERNELS:
                continue
            report = run_job(kernel, directory, "--verify", f"--transport={transport}", f"--far_ratio={far_ratio}",
                             "--chunk_size=16KiB", nodes, *flags)
            print(what, report["bytes_fetched"])
            assert report["verified"] is True
            assert report["transport"] == transport
            assert report["bytes_fetched"] >= report["bytes_useful"] > 0
            assert abs(report["far_ratio"] - far_ratio) < 0.1
            check(report)


@pytest.mark.parametrize("name", INPUTS)
def test_on_ssd(graphs, name):
    """In the graph's own files, by direct IO."""
    require_direct_io(graphs[name].folder)
    for what, kernel, directory, flags, check in graphs[name].jobs():
        report = run_job(kernel, directory, "--verify", "--far_ratio=1", f"--ssd_dirs={directory}", "--chunk_size=64KiB",
                         *flags)
        print(what, report["bytes_fetched"])
        assert report["verified"] is True
        assert report["transport"] == "ssd" and report["attached"] is True and report["far_ratio"] == 1
        assert report["bytes_fetched"] >= report["bytes_useful"] > 0
        check(report)


@pytest.mark.parametrize("name", INPUTS)
def test_far_and_on_ssd(graphs, name):
    """On a memory node that has room for a part, and the rest in the graph's own files."""
    with memory_nodes(1, capacity="1MiB") as nodes:
        for what, kernel, directory, flags, check in graphs[name].jobs():
            if kernel not in EVERYWHERE:
                continue
            require_direct_io(directory)
            report = run_job(kernel, directory, "--verify", "--far_ratio=1", nodes, f"--ssd_dirs={directory}",
                             "--chunk_size=16KiB", *flags)
            print(what, report["ssd_ratio"], report["bytes_fetched"])
            assert report["verified"] is True
            assert report["transport"] == "shm+ssd" and report["far_ratio"] == 1 and report["ssd_ratio"] < 1
            check(report)


@pytest.mark.parametrize("flags", [[], ["--compress"]], ids=["edges", "codes"])
def test_copies_on_ssds_give_identical_bytes(graphs, tmp_path, flags):
    """Striped over three directories, of which nothing is left."""
    fargraph("convert", DATA / INPUTS["soc-Slashdot0902"], tmp_path / "graph", *flags)
    ssds = [tmp_path / name for name in "abc"]
    for ssd in ssds:
        ssd.mkdir()
        require_direct_io(ssd)
    ssd_dirs = "--ssd_dirs=" + ",".join(map(str, ssds))
    outputs = set()
    for far_ratio in [0, 0.5, 1]:
        output = tmp_path / f"components-{far_ratio}"
        report = run_job("wcc", tmp_path / "graph", ssd_dirs, f"--far_ratio={far_ratio}", f"--output={output}")
        assert (report["bytes_fetched"] > 0) == (far_ratio > 0) and report["attached"] is False
        outputs.add(output.read_bytes())
    assert len(outputs) == 1
    assert not any(any(ssd.iterdir()) for ssd in ssds)


def test_placements_give_identical_bytes(graphs, tmp_path):
    """Levels and components are exact: the output files do not differ in a byte. Parents may: any one is right."""
    graph = graphs["soc-Slashdot0902"]
    with memory_nodes(3) as nodes:
        outputs = {}
        for far_ratio in [0, 0.5, 1]:
            output = tmp_path / f"components-{far_ratio}"
            fargraph("run", "wcc", graph.directory("out"), nodes, f"--far_ratio={far_ratio}", f"--output={output}")
            outputs[far_ratio] = output.read_bytes()
    assert outputs[0] == outputs[0.5] == outputs[1]
    assert outputs[0].count(b"\n") == graph.reference["vertices_appearing"] + 1


def test_outputs_speak_the_inputs_ids(graphs, tmp_path):
    """wiki-Vote has ids with holes: every vertex that appears is named by its own id, and no other."""
    graph = graphs["wiki-Vote"]
    output = tmp_path / "levels"
    fargraph("run", "bfs", graph.directory("out"), "--source=2565", f"--output={output}")
    lines = [line.split() for line in output.read_text().splitlines() if not line.startswith("#")]
    ids = [int(line[0]) for line in lines]
    assert ids == sorted(set(ids))
    assert len(ids) == graph.reference["vertices_appearing"]
    assert ids[0] == graph.reference["min_id"] and ids[-1] == graph.reference["max_id"]
    levels = {int(line[0]): int(line[1]) for line in lines}
    parents = {int(line[0]): int(line[2]) for line in lines}
    assert levels[2565] == 0 and parents[2565] == 2565
    for vertex, level in levels.items():
        if level > 0:
            assert levels[parents[vertex]] == level - 1
        elif level < 0:
            assert parents[vertex] == -1


@pytest.mark.parametrize("name", ["wiki-Vote", "soc-Slashdot0902", "USA-road-d.NY"])
def test_the_order_of_the_vertices_shows_in_no_output(graphs, tmp_path, name):
    """Components and levels are exact: hubs first or not, the output files do not differ in a byte."""
    outputs = {}
    for order in ["input", "degree"]:
        fargraph("convert", DATA / INPUTS[name], tmp_path / order, f"--order={order}")
        for kernel, flags in {"wcc": [], "bfs": [f"--source={graphs[name].reference['bfs'][0]['source']}"]}.items():
            report = run_job(kernel, tmp_path / order, "--verify", *flags, f"--output={tmp_path / kernel}")
            assert report["verified"] is True
            lines = (tmp_path / kernel).read_text().splitlines()
            # Of the parents on shortest paths any one is right.
            outputs[order, kernel] = [line.split()[:2] for line in lines]
    for kernel in ["wcc", "bfs"]:
        assert outputs["input", kernel] == outputs["degree", kernel]
