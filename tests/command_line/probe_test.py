"""probe: a link is measured once, shown as a table, as JSON and as a picture, and then remembered."""

import json
import xml.etree.ElementTree as ElementTree


def probe(fargraph, memory_node, *flags):
    return json.loads(fargraph.ok("probe", f"--memory_nodes={memory_node}", "--json", *flags))


def test_the_table_ends_with_the_choice(fargraph, memory_node):
    lines = fargraph.ok("probe", f"--memory_nodes={memory_node}", "--transport=tcp", "--threads=2").splitlines()
    assert lines[0] == f"link to {memory_node} over tcp, 2 threads, measured just now"
    assert lines[1].split()[:2] == ["read", "depth"]
    reads = [" ".join(line.split()[:2]) for line in lines[2:-2]]
    assert {"512 B", "512 KiB"} <= set(reads)  # with which the sweep begins: all that a busy machine may measure in the time
    assert lines[-2].startswith("fit ") and "GiB/s" in lines[-2]
    assert lines[-1].startswith("choice  chunks of ")


def test_the_numbers_agree_with_each_other(fargraph, memory_node):
    report = probe(fargraph, memory_node, "--transport=shm")
    assert (report["transport"], report["memory_nodes"]) == ("shm", [memory_node])
    for point in report["points"]:
        assert abs(point["bytes"] * point["requests_per_second"] / point["bytes_per_second"] - 1) < 1e-9
    assert report["choice"]["chunk_bytes"] in [point["bytes"] for point in report["points"]]


def test_a_thread_has_as_many_buffers_as_the_link_fills_meanwhile(fargraph, memory_node):
    assert probe(fargraph, memory_node, "--transport=shm")["choice"]["buffers"] == 1
    assert probe(fargraph, memory_node, "--transport=tcp")["choice"]["buffers"] >= 2


def test_measured_once_for_probe_and_run_alike(fargraph, graph, memory_node):
    fargraph.ok("run", "wcc", graph, f"--memory_nodes={memory_node}", "--far_ratio=1")
    first = probe(fargraph, memory_node)
    assert probe(fargraph, memory_node)["points"] == first["points"]
    assert probe(fargraph, memory_node, "--transport=tcp")["points"] != first["points"]
    anew = probe(fargraph, memory_node, "--anew")
    assert anew["points"] != first["points"]
    assert probe(fargraph, memory_node)["points"] == anew["points"]


def test_a_damaged_or_unwritable_memory_of_it_is_no_error(fargraph, memory_node):
    cache = fargraph.folder / "cache"
    fargraph.environment["XDG_CACHE_HOME"] = str(cache)
    probe(fargraph, memory_node)
    links = cache / "fargraph" / "links.json"
    links.write_text("no json")
    probe(fargraph, memory_node)
    assert json.loads(links.read_text())["links"]
    fargraph.environment["XDG_CACHE_HOME"] = "/dev/null"
    probe(fargraph, memory_node)


def test_the_picture_is_svg(fargraph, memory_node):
    fargraph.ok("probe", f"--memory_nodes={memory_node}", "--picture=link.svg")
    root = ElementTree.parse(fargraph.folder / "link.svg").getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "depth 1" in texts and any(text.startswith("chosen: ") for text in texts)


def test_a_memory_node_that_is_not_there(fargraph):
    assert "127.0.0.1:1" in fargraph.fails(5, "probe", "--memory_nodes=127.0.0.1:1")


def test_the_picture_does_not_take_the_place_of_the_json(fargraph, memory_node):
    said = fargraph.fails(2, "probe", f"--memory_nodes={memory_node}", "--picture=link", "--json=./link")
    assert "--json and --picture both write to" in said
