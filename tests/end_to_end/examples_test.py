"""The worked examples of docs/directives.md, whose annotated program prints what the ordinary one prints, and of
docs/io-iterator.md, which finds the levels that the command finds."""

import random
import subprocess

import pytest

from commands import BIN, fargraph, memory_nodes


@pytest.fixture(scope="module")
def edge_list(tmp_path_factory):
    generator = random.Random(1)
    path = tmp_path_factory.mktemp("examples") / "edges.txt"
    edges = [(int(2000 * generator.random() ** 3), generator.randrange(2000)) for _ in range(60_000)]
    path.write_text("".join(f"{source} {target}\n" for source, target in edges))
    return path


@pytest.mark.parametrize("far_ratio", ["0", "0.5", "0.8", "1"])
def test_annotated_pagerank_gives_the_same_ranks(edge_list, far_ratio):
    plain = subprocess.run([BIN / "pagerank", edge_list], capture_output=True, text=True, check=True).stdout
    with memory_nodes(1) as nodes:
        address = nodes.removeprefix("--memory_nodes=")
        far = subprocess.run([BIN / "pagerank_far", edge_list, address, far_ratio], capture_output=True, text=True,
                             check=True).stdout
    assert far == plain  # the edges come in the same order, so not a bit differs
    ranks = [float(line.split()[1]) for line in plain.splitlines()]
    assert abs(sum(ranks) - 1) < 1e-12 and len(ranks) == 2000


def test_sampled_pagerank_tells_the_groups_of_its_arrays(tmp_path):
    """Enough edges and vertices for arrays of more than 64 pages, and a run of some tenths of a second."""
    generator = random.Random(2)
    vertices, edges = 60_000, 2_000_000
    path = tmp_path / "edges.txt"
    ends = iter(generator.choices(range(vertices), k=2 * edges))
    path.write_text("".join(f"{source} {target}\n" for source, target in zip(ends, ends)))
    plain = subprocess.run([BIN / "pagerank", path], capture_output=True, text=True, check=True)
    sampled = subprocess.run([BIN / "pagerank_sampled", path], capture_output=True, text=True, check=True)
    assert sampled.stdout == plain.stdout
    groups = {line.split()[0]: int(line.split()[1]) for line in sampled.stderr.splitlines()[1:]}
    # out_degree is too small to be seen; it stays local.
    assert groups == {"offsets": 1, "sources": 1, "out_degree": 4, "rank": 3, "contribution": 4, "sum": 3}


def test_annotated_pagerank_says_when_nobody_is_there(edge_list):
    done = subprocess.run([BIN / "pagerank_far", edge_list, "127.0.0.1:1"], capture_output=True, text=True)
    assert done.returncode == 1
    assert "127.0.0.1:1" in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.parametrize("program", [["pagerank"], ["pagerank_far", "127.0.0.1:1"], ["pagerank_sampled"]])
@pytest.mark.parametrize("content, text", [
    (None, "it cannot be opened"), ("# nothing\n", "it has no edges"), ("0 1\n1\n", "a line is not 'source target'"),
    ("0 1\n1 x\n", "a line is not"), ("0 1 2\n", "a line is not"), ("0 -1\n", "a line is not"),
    ("0 4294967295\n", "a line is not")])
def test_pagerank_takes_edge_lists_only(tmp_path, program, content, text):
    if content is not None:
        (tmp_path / "links.txt").write_text(content)
    name, *more = program
    done = subprocess.run([BIN / name, tmp_path / "links.txt", *more], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert f"links.txt: {text}" in done.stderr and done.stderr.count("\n") == 1


def test_pagerank_skips_comments(tmp_path):
    ranks = []
    for content in ("0 1\n1 0\n", "# two edges\n0 1\n#\n1\t0"):
        (tmp_path / "links.txt").write_text(content)
        ranks.append(subprocess.run([BIN / "pagerank", tmp_path / "links.txt"], capture_output=True, check=True).stdout)
    assert ranks[0] == ranks[1] and ranks[0].count(b"\n") == 2


def test_annotated_pagerank_takes_a_number_as_far_ratio(edge_list):
    done = subprocess.run([BIN / "pagerank_far", edge_list, "127.0.0.1:1", "abc"], capture_output=True, text=True)
    assert done.returncode == 2 and done.stderr.startswith("usage: pagerank_far EDGES HOST:PORT")


@pytest.fixture(scope="module")
def graph_directory(tmp_path_factory, edge_list):
    directory = tmp_path_factory.mktemp("examples") / "graph"
    fargraph("convert", edge_list, directory)
    return directory


def bfs_iterator(*arguments):
    return subprocess.run([BIN / "bfs_iterator", *map(str, arguments)], capture_output=True, text=True)


@pytest.mark.parametrize("source", [0, 7])
@pytest.mark.parametrize("far_ratio", [None, "0.5", "1"])
def test_bfs_by_iterator_finds_the_same_levels(graph_directory, source, far_ratio):
    output = fargraph("run", "bfs", graph_directory, f"--source={source}", "--output=-").stdout
    levels = [line.rsplit(" ", 1)[0] for line in output.splitlines()]
    with memory_nodes(2) as nodes:
        far = [nodes.removeprefix("--memory_nodes="), far_ratio] if far_ratio else []
        done = bfs_iterator(graph_directory, source, *far)
    assert done.stderr == ""
    assert done.stdout.splitlines() == levels
    assert sum(line.endswith(" 1") for line in levels) > 0


def test_bfs_by_iterator_says_what_is_wrong(graph_directory, tmp_path):
    for arguments, text in [([graph_directory, 99999], "the source 99999 is not a vertex"),
                            ([tmp_path / "none", 0], "none"),
                            ([graph_directory, 0, "127.0.0.1:1", "0.5"], "127.0.0.1:1"),
                            ([graph_directory, "first"], "usage: bfs_iterator GRAPH SOURCE"),
                            ([graph_directory, 0, "127.0.0.1:1", "most"], "usage: bfs_iterator GRAPH SOURCE"),
                            ([graph_directory, 0, "127.0.0.1:1"], "usage: bfs_iterator GRAPH SOURCE")]:
        done = bfs_iterator(*arguments)
        assert done.returncode in (1, 2)
        assert text in done.stderr and done.stderr.count("\n") == 1 and done.stdout == ""
