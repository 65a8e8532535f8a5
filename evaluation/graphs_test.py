"""graphs with a converter that has the graph ready."""

import json

import pytest

from harness import programs
from harness.yardsticks import peer_files

CONVERTER = """#!/bin/sh
file=kron.sg
for word; do [ "$word" != -w ] || file=kron.wsg; done
cp "$(dirname "$0")/$file" "$word"
"""


@pytest.fixture
def make(command, tmp_path):
    """Makes a graph of skewed degrees whose hubs have any ids; returns its directory."""
    made, converter = tmp_path / "made", tmp_path / "converter"
    programs.run([programs.FARGRAPH, "generate", "kron", made, "--scale=13", "--weights", "--symmetrize", "--remove_duplicates",
                  "--remove_self_loops", "--order=input"])
    for name, weighted in (("kron.sg", False), ("kron.wsg", True)):
        peer_files.write_serialized(made, tmp_path / name, weighted)
    converter.write_text(CONVERTER)
    converter.chmod(0o755)

    def run(*flags):
        command("graphs", tmp_path / "graphs", "kron13", f"--converter={converter}", *flags, folder=tmp_path)
        return tmp_path / "graphs/kron13"

    return run


def manifest(graph):
    return json.loads((graph / "manifest.json").read_text())


def test_peers_have_vertices_in_the_order_of_their_ids(make):
    graph = make()
    assert manifest(graph)["order"] == "degree" and "order" in manifest(graph)["arrays"]
    assert graph.with_suffix(".wsg").read_bytes() == (graph.parents[1] / "kron.wsg").read_bytes()


def test_peers_have_hubs_first_where_that_is_asked_for(make, tmp_path):
    graph = make("--hubs_first")
    assert manifest(graph)["order"] == "degree" and "order" not in manifest(graph)["arrays"]
    for ending, weighted in ((".sg", False), (".wsg", True)):
        peer_files.write_serialized(graph, tmp_path / "same", weighted)
        assert graph.with_suffix(ending).read_bytes() == (tmp_path / "same").read_bytes()
    assert graph.with_suffix(".gbbs").read_bytes()[24:] == graph.with_suffix(".sg").read_bytes()[17:]


@pytest.mark.parametrize("flags", [(), ("--symmetrize",)])
def test_a_serialized_graph_is_converted_to_what_it_was_made_of(tmp_path, flags):
    first, again = tmp_path / "first", tmp_path / "again"
    programs.run([programs.FARGRAPH, "generate", "kron", first, "--scale=8", "--weights", *flags, "--order=input"])
    peer_files.write_serialized(first, tmp_path / "first.wsg", weighted=True)
    programs.run([programs.FARGRAPH, "convert", tmp_path / "first.wsg", again, "--order=input"])
    assert manifest(again)["content_id"] == manifest(first)["content_id"]
