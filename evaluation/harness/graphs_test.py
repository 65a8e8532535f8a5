import struct

import numpy
import pytest

from harness import graphs
from harness.graphs import Graph
from harness.yardsticks import peer_files


def test_a_graph_has_a_name_and_a_directory(tmp_path):
    (tmp_path / "manifest.json").write_text('{"edges": 6}')
    graph = Graph.parse(f"kron={tmp_path}")
    assert (graph.name, graph.path, graph.edges(), graph.bytes()) == ("kron", tmp_path, 6, 12)
    for text in ("kron", f"={tmp_path}", "kron="):
        with pytest.raises(ValueError, match="NAME=DIR"):
            Graph.parse(text)
    with pytest.raises(ValueError, match="no graph directory"):
        Graph.parse(f"kron={tmp_path}/manifest.json")


def test_an_output_file_is_read_by_columns(tmp_path):
    path = tmp_path / "levels"
    path.write_bytes(struct.pack("<8sIIQ", b"FGRESULT", 1, 2, 3)
                     + struct.pack("24s8s24s8s", b"vertex", b"uint64", b"level", b"int32")
                     + struct.pack("<3Q", 7, 8, 9) + struct.pack("<4i", 0, -1, 1, 0))
    columns = graphs.read_output(path)
    assert columns["vertex"].tolist() == [7, 8, 9]
    assert columns["level"].tolist() == [0, -1, 1]


def serialized(directed):
    """Three vertices, edges 0-1 and 1-2 in both directions."""
    arrays = numpy.array([0, 1, 3, 4], "<u8").tobytes() + numpy.array([1, 0, 2, 1], "<u4").tobytes()
    return struct.pack("<?qq", directed, 4, 3) + arrays, arrays


def test_the_format_of_gbbs_is_made_of_an_undirected_serialized_graph(tmp_path):
    content, arrays = serialized(directed=False)
    (tmp_path / "g.sg").write_bytes(content)
    peer_files.write_gbbs(tmp_path / "g.sg", tmp_path / "g.gbbs")
    assert (tmp_path / "g.gbbs").read_bytes() == struct.pack("<qqq", 3, 4, 24 + len(arrays)) + arrays


def test_a_directed_graph_is_none_for_gbbs(tmp_path):
    (tmp_path / "g.sg").write_bytes(serialized(directed=True)[0])
    peer_files.write_gbbs(tmp_path / "g.sg", tmp_path / "g.gbbs")
    assert not (tmp_path / "g.gbbs").exists()
