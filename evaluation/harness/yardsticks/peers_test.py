import pytest

from harness.yardsticks import peers
from harness.yardsticks.peers import Peer

GAPBS_OUTPUT = """Read Time:           0.29990
Graph has 4194302 nodes and 64155725 undirected edges for degree: 15
Trial Time:          0.06242
Trial Time:          1.2e-05
Average Time:        0.03121
"""
GBBS_OUTPUT = "### Params: -nb = 16\n### rho = 663\n### Running Time: 2.75168\n### Running Time: 2.5\n# time per iter: 2.6\n"


@pytest.mark.parametrize("output, seconds", [
    (GAPBS_OUTPUT, [0.06242, 1.2e-05]),
    (GBBS_OUTPUT, [2.75168, 2.5]),
    ('{"load_seconds": 3.5,\n "seconds": 0.25}', [0.25]),
])
def test_the_times_of_trials_are_found(output, seconds):
    assert peers.seconds_in(output) == seconds


def test_a_pattern_of_ones_own():
    assert peers.seconds_in("took 12.5 s", r"took ([\d.]+) s") == [12.5]


def test_output_without_a_time_is_an_error():
    with pytest.raises(ValueError, match="no time"):
        peers.seconds_in("Segmentation fault")


def test_a_peer_is_of_all_kernels_or_of_one_or_of_one_on_one_graph():
    assert Peer.parse("a=x -y=1") == Peer("a", None, None, "x -y=1")
    assert Peer.parse("a:bfs=x") == Peer("a", "bfs", None, "x")
    assert Peer.parse("a:bfs:road=x") == Peer("a", "bfs", "road", "x")


@pytest.mark.parametrize("text", ["a", "=x", "a=", "a:=x", "a:b:c:d=x"])
def test_what_is_no_peer_is_refused(text):
    with pytest.raises(ValueError, match="--peer takes"):
        Peer.parse(text)


def test_the_most_particular_peer_of_a_name_is_chosen():
    particular = Peer.parse("a:bfs:road=3")
    everything = [particular, Peer.parse("a:bfs=2"), Peer.parse("a=1"), Peer.parse("b:wcc=4")]

    def commands(kernel, graph):
        return [peer.command for peer in peers.choose(everything, kernel, graph)]

    assert commands("bfs", "road") == ["3"]
    assert commands("bfs", "web") == ["2"]
    assert commands("wcc", "road") == ["1", "4"]


def test_placeholders_are_replaced_word_by_word():
    peer = Peer.parse("a='my dir/bfs' -f {graph}.sg -r {source}")
    assert peer.argv(graph="/with space/g", source=7) == ["my dir/bfs", "-f", "/with space/g.sg", "-r", "7"]


def test_an_unknown_placeholder_is_named():
    with pytest.raises(ValueError, match="'grph'.*{graph}"):
        Peer.parse("a=bfs {grph}").argv(graph="g")


def test_known_peers_run_in_their_folder():
    [bfs] = peers.known("gapbs", {"bfs": peers.GAPBS["bfs"]}, "/my peers")
    assert bfs.argv(graph="g", source=1, trials=3)[:3] == ["/my peers/bfs", "-f", "g.sg"]
