import pathlib

import pytest

from harness import ways
from harness.graphs import Graph
from harness.yardsticks.peers import Peer

SETTINGS = ways.Settings(iterations=5, trials=1, precision="single")


@pytest.mark.parametrize("kernel, flags", [
    ("wcc", []), ("apsp", []), ("bfs", ["--source=3"]), ("spmv", ["--precision=single"]),
    ("pagerank", ["--iterations=5", "--precision=single"])])
def test_a_kernel_gets_the_flags_that_it_takes(kernel, flags):
    argv = ways.OwnRun("local").argv(ways.Case(kernel, Graph("g", pathlib.Path("/g"))), 3, SETTINGS)
    assert argv[2:] == [kernel, "/g", *flags, "--trials=1", "--json=-"]


def test_other_systems_have_huge_pages_as_ours():
    peer = ways.PeerRun(Peer("peer", None, None, "printenv GLIBC_TUNABLES", r"hugetlb=(\d)"))
    assert peer.run(ways.Case("bfs", Graph("g", pathlib.Path("/g"))), 0, SETTINGS) == ([1.0], {})
