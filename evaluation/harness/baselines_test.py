import pathlib

from harness import baselines, ways
from harness.graphs import Graph
from harness.host import swap

PLACEMENT = baselines.Placement(0.8, "shm", ("--memory_nodes=host:1",))
SETTINGS = ways.Settings(iterations=5, trials=1, precision="single")


def words(name):
    return PLACEMENT.run(name).argv(ways.Case("bfs", Graph("g", pathlib.Path("/g"))), 3, SETTINGS)


def test_swapping_runs_the_same_command_as_the_oracle():
    assert words(baselines.SWAP) == words(baselines.FASTSWAP) == words(baselines.ORACLE)
    assert not any("far" in word or "memory_nodes" in word or "ssd" in word for word in words(baselines.ORACLE)[3:])


def test_the_original_reads_as_many_edges_from_disk_as_are_far():
    assert "--far_ratio=0.8" in words(baselines.ORIGINAL) and "--far_ratio=0.8" in words(baselines.FARGRAPH)
    assert "--ssd_dirs=/g" in words(baselines.ORIGINAL) and "--buffers=1" in words(baselines.ORIGINAL)


def test_pages_come_from_the_same_memory_nodes():
    assert words(baselines.PAGE)[1:] == words(baselines.FARGRAPH)[2:]
    assert words(baselines.PAGE)[0].endswith("/paged_run")


def test_fastswap_is_detected_and_not_pretended(tmp_path, monkeypatch):
    monkeypatch.setattr(swap, "MODULES", tmp_path)
    assert "fastswap: this kernel has no Fastswap" in baselines.why_not(baselines.FASTSWAP)
    assert not baselines.why_not(baselines.SWAP)
    (tmp_path / "fastswap").mkdir()
    assert "swaps to local memory" in baselines.why_not(baselines.FASTSWAP)
    (tmp_path / "fastswap_rdma").mkdir()
    assert not baselines.why_not(baselines.FASTSWAP)
    assert "that baseline is fastswap" in baselines.why_not(baselines.SWAP)


def test_nothing_is_turned_on_where_nothing_swaps():
    with baselines.swap_for([baselines.ORACLE, baselines.FARGRAPH], None) as place:
        assert place is None
