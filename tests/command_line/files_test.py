"""convert, generate and info: reports, exit codes, and that nothing half-written stays."""

import json
import resource

import pytest


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def value(report, name):
    """The value that a report's line gives."""
    return next(line.removeprefix(name).strip() for line in report.splitlines() if line.startswith(f"{name}  "))


def test_convert_reports_what_it_found(fargraph, graph):
    report = fargraph.ok("convert", "edges.txt", "other")
    assert value(report, "edges read") == "6"
    assert value(report, "vertices") == "4"
    assert value(report, "edges") == "6"
    assert value(report, "direction") == "directed, in-edges stored too"
    assert value(report, "self-loops") == "1 (kept)"
    assert value(report, "duplicates") == "1 (kept)"
    assert value(report, "ids").startswith("remapped")
    assert value(report, "source") == "SNAP text"
    assert value(report, "time").endswith(" MB/s of input")


def test_convert_removes_what_it_is_told_to(fargraph, graph):
    report = fargraph.ok("convert", "edges.txt", "other", "--remove_self_loops", "--remove_duplicates", "--noreverse")
    assert value(report, "edges") == "4"
    assert value(report, "direction") == "directed, no in-edges stored"
    assert value(report, "self-loops") == "1 (removed)"
    assert value(report, "duplicates") == "1 (removed)"


def test_info_in_json(fargraph, graph):
    info = json.loads(fargraph.ok("info", graph, "--json"))
    expected = {
        "path": "graph", "vertices": 4, "edges": 6, "symmetric": False, "reverse": True, "weights": "none", "heads": 4,
        "order": "input", "compressed": False, "ids_remapped": True, "self_loops": 1, "self_loops_removed": False,
        "duplicates": 1,
        "duplicates_removed": False, "source_format": "SNAP text", "files_verified": False,
    }
    assert expected.items() <= info.items()


def test_a_compressed_graph_holds_the_same_edges_in_fewer_bytes(fargraph):
    info = {}
    for name, flags in [("raw", []), ("coded", ["--compress"])]:
        fargraph.ok("generate", "kron", name, "--scale=10", *flags)
        assert ("compressed" in value(fargraph.ok("info", name, "--verify_files"), "lists")) == (name == "coded")
        info[name] = json.loads(fargraph.ok("info", name, "--json"))
    assert info["coded"]["compressed"] and "out.edges" not in info["coded"]["bytes"]
    assert info["coded"]["bytes_per_edge"] < 0.6 * info["raw"]["bytes_per_edge"]
    assert info["coded"]["edges"] == info["raw"]["edges"]


def test_info_in_a_file_and_for_people(fargraph, graph):
    shown = fargraph.ok("info", graph, "--json=info.json", "--verify-files")
    assert value(shown, "graph") == graph
    assert value(shown, "files") == "verified"
    assert "files  " not in fargraph.ok("info", graph)
    assert json.loads((fargraph.folder / "info.json").read_text())["files_verified"]


def test_generate_depends_on_its_flags_alone(fargraph):
    ids = set()
    for number, seed in enumerate([5, 5, 6]):
        fargraph.ok("generate", "kron", f"graph{number}", "--scale=8", f"--seed={seed}")
        ids.add(json.loads(fargraph.ok("info", f"graph{number}", "--json"))["content_id"])
    assert len(ids) == 2


def test_an_output_that_exists_is_kept(fargraph, graph):
    sentence = fargraph.fails(10, "convert", "edges.txt", graph)
    assert "--overwrite" in sentence
    fargraph.ok("convert", "edges.txt", graph, "--overwrite")
    fargraph.fails(10, "convert", "edges.txt", "edges.txt", "--overwrite")
    assert names(fargraph.folder) == ["edges.txt", "graph"]


def test_inputs_that_are_not_there(fargraph):
    assert "nowhere" in fargraph.fails(3, "convert", "nowhere", "graph")
    assert "nowhere" in fargraph.fails(3, "info", "nowhere")
    assert not names(fargraph.folder)


def test_an_output_in_a_directory_that_is_not_there(fargraph, graph):
    assert "nowhere/graph" in fargraph.fails(3, "convert", "edges.txt", "nowhere/graph")


@pytest.mark.parametrize("content", [b"", b"# nothing\n\n", b"\x7fELF" + bytes(range(256)) * 10, b"3 7\n7 nine\n", b"3 7\n7"])
def test_inputs_that_are_no_graphs(fargraph, content):
    (fargraph.folder / "input").write_bytes(content)
    assert "input" in fargraph.fails(4, "convert", "input", "graph")
    assert names(fargraph.folder) == ["input"]


def test_a_truncated_array(fargraph, graph):
    array = fargraph.folder / graph / "out.edges"
    array.write_bytes(array.read_bytes()[:-4096])
    assert "out.edges" in fargraph.fails(4, "info", graph)


def test_a_flipped_bit(fargraph, graph):
    array = fargraph.folder / graph / "out.edges"
    content = bytearray(array.read_bytes())
    content[4096] ^= 1
    array.write_bytes(content)
    assert "out.edges" in fargraph.fails(4, "info", graph, "--verify_files")


def test_a_damaged_manifest(fargraph, graph):
    manifest = fargraph.folder / graph / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"vertices": 4', '"vertices": 5'))
    assert "manifest.json" in fargraph.fails(4, "info", graph)


def test_a_disk_that_fills_up(fargraph):
    def limit_files():
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    fargraph.fails(7, "generate", "uniform", "graph", "--scale=14", preexec_fn=limit_files)
    assert not names(fargraph.folder)


def test_standard_output_that_is_full(fargraph, graph):
    with open("/dev/full", "w", encoding="ascii") as full:
        assert "standard output" in fargraph.fails(7, "info", graph, stdout=full)
