"""The worked example of docs/directives.md: the annotated program prints what the ordinary one prints."""

import random
import subprocess

import pytest

from commands import BIN, memory_nodes


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
