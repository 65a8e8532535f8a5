from pytest import approx

from harness import comparisons
from harness.comparisons import Requirement
from harness.rounds import Run


def runs_of(kernel, graph, way, *seconds):
    kind = {"gapbs": "peer", "copy": "copy"}.get(way, "own")
    return [Run(number, kernel, graph, way, kind, 0, value, 0.0, {}) for number, value in enumerate(seconds)]


RUNS = [
    *runs_of("bfs", "kron", "local", 1.0, 2.0, 4.0),
    *runs_of("bfs", "kron", "gapbs", 1.0, 1.0, 1.0),
    *runs_of("bfs", "kron", "tcp 0.8", 2.0, 4.0, 8.0),
    *runs_of("bfs", "kron", "copy", 1.0, 1.0, 1.0),
    *runs_of("pagerank", "kron", "local", 1.0, 1.0, 1.0),
    *runs_of("pagerank", "kron", "tcp 0.8", 8.0, 8.0, 8.0),
]


def test_local_is_compared_with_peers_and_far_with_local():
    found = {one.name: one for one in comparisons.all_comparisons(RUNS)}
    assert list(found) == ["local / gapbs", "tcp 0.8 / local"]
    assert found["local / gapbs"].spreads == {("bfs", "kron"): (2.0, 1.0, 4.0)}
    assert found["local / gapbs"].rounds == 3
    assert found["tcp 0.8 / local"].spreads[("bfs", "kron")] == (2.0, 2.0, 2.0)


def test_a_requirement_may_leave_out_a_kernel():
    tcp = comparisons.compare(RUNS, "tcp 0.8", "local")
    assert tcp.requirement.without == ("pagerank",)
    assert tcp.geometric_mean() == approx(2)
    assert tcp.worst() == (2.0, ("bfs", "kron"))
    assert tcp.verdict() is False


def test_a_requirement_may_be_about_some_kernels():
    slow = [*runs_of("triangles", "kron", "local", 9.0), *runs_of("triangles", "kron", "gapbs", 1.0)]
    gapbs = comparisons.compare([*RUNS, *slow], "local", "gapbs")
    assert gapbs.spreads.keys() == {("bfs", "kron"), ("triangles", "kron")}
    assert gapbs.worst() == (2.0, ("bfs", "kron"))
    assert gapbs.rounds == 3
    assert comparisons.compare(slow, "local", "gapbs").verdict() is None


def test_there_is_no_verdict_on_what_was_not_measured():
    only_pagerank = [run for run in RUNS if run.kernel == "pagerank"]
    tcp = comparisons.compare(only_pagerank, "tcp 0.8", "local")
    assert tcp.verdict() is None
    assert tcp.geometric_mean() == approx(8)
    assert comparisons.compare(only_pagerank, "local", "gapbs") is None
    assert comparisons.compare(RUNS, "local", "local").verdict() is None


def test_a_requirement_holds_if_all_its_bounds_do():
    assert Requirement(geometric_mean=1.05, each=1.25).holds(1.05, 1.25)
    assert not Requirement(geometric_mean=1.05, each=1.25).holds(1.06, 1.1)
    assert not Requirement(geometric_mean=1.05, each=1.25).holds(1.0, 1.26)
    assert Requirement(each=1.1).holds(5, 1.1)
    assert Requirement(each=1.1, of=("kcore", "mis")).text() == "each 1.1 (kcore, mis)"
    assert Requirement(geometric_mean=1.6, without=("pagerank",)).text() == "mean 1.6 (not pagerank)"
