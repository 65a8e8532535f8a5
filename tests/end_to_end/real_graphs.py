"""The real graphs beside the checkout, and their reference answers (computed without any graph system)."""

import json
import os
import pathlib

import commands

DATA = pathlib.Path(os.environ.get("FARGRAPH_DATA_DIR", commands.REPOSITORY.parent / "shared/data"))
INPUTS = {
    "wiki-Vote": "wiki-Vote.txt",
    "facebook_combined": "facebook_combined.txt",
    "email-Enron": "email-Enron.txt.gz",
    "p2p-Gnutella31": "p2p-Gnutella31.txt.gz",
    "soc-Slashdot0902": "soc-Slashdot0902.txt.zst",
    "cnr-2000": "cnr-2000.txt.zst",
    "USA-road-d.NY": "USA-road-d.NY.wel.zst",
}

# These run at every placement: a search, a sample, dense scans and many small steps. The others, which share all code below
# the kernels with them, run at some.
EVERYWHERE = {"bfs", "wcc", "pagerank", "kcore"}


def available():
    return (DATA / "wiki-Vote.txt").exists()


class RealGraph:
    """One of them, converted as a directed (`out`) and as an undirected graph on demand."""

    def __init__(self, name, folder):
        self.name = name
        self.folder = pathlib.Path(folder)
        self.reference = json.loads((DATA / f"{name}.json").read_text())

    def directory(self, follow):
        """The graph directory in which edges are followed `out` or `undirected`."""
        output = self.folder / f"{self.name}-{follow}"
        if not output.exists():
            # The road network lists every edge in both directions, so symmetrizing doubles it.
            flags = ["--symmetrize", "--remove_duplicates"] if follow == "undirected" else []
            commands.fargraph("convert", DATA / INPUTS[self.name], output, *flags)
        return output

    @property
    def own_direction(self):
        """The direction that the graph itself means, which its PageRank follows."""
        return "out" if self.reference["directed"] else "undirected"

    def jobs(self, every_source=False):
        """(what it shows, kernel, directory, flags, check of the report) for every reference answer; of searches for those from
        the first source alone, unless every_source is True."""
        searches, weighted = self.reference["bfs"], self.reference.get("sssp", [])
        if not every_source:
            searches = [bfs for bfs in searches if bfs["source"] == searches[0]["source"]]
            weighted = weighted[:1]
        for bfs in searches:
            yield (f"bfs from {bfs['source']} {bfs['follow']}", "bfs", self.directory(bfs["follow"]),
                   [f"--source={bfs['source']}"], lambda report, bfs=bfs: check_bfs(report, bfs))
            yield (f"bc from {bfs['source']} {bfs['follow']}", "bc", self.directory(bfs["follow"]),
                   [f"--source={bfs['source']}"], lambda report, bfs=bfs: check_bc(report, bfs))
            yield (f"apsp from {bfs['source']} {bfs['follow']}", "apsp", self.directory(bfs["follow"]),
                   [f"--source={bfs['source']}"], lambda report, bfs=bfs: check_apsp(report, bfs))
        yield ("apsp", "apsp", self.directory("undirected"), [],
               lambda report: check_apsp_sample(report, self.reference["diameter_largest_wcc_undirected"]))
        yield "wcc", "wcc", self.directory("out"), [], lambda report: check_wcc(report, self.reference)
        yield ("pagerank", "pagerank", self.directory(self.own_direction), ["--tolerance=1e-12", "--iterations=1000"],
               lambda report: check_pagerank(report, self.reference["pagerank"][0]))
        yield ("pagerank by deltas", "pagerank_delta", self.directory(self.own_direction), ["--tolerance=1e-12"],
               lambda report: check_pagerank(report, self.reference["pagerank"][0]))
        for sssp in weighted:
            yield (f"sssp from {sssp['source']}", "sssp", self.directory("out"), [f"--source={sssp['source']}"],
                   lambda report, sssp=sssp: check_sssp(report, sssp))
        yield ("spmv", "spmv", self.directory("undirected"), ["--iterations=20"], lambda report: check_spmv(report, self.reference))
        yield ("kcore", "kcore", self.directory("undirected"), [], lambda report: check_kcore(report, self.reference))
        yield "mis", "mis", self.directory("undirected"), [], lambda report: check_mis(report, self.reference)
        for follow in ["out", "undirected"]:  # an edge joins its two ends either way
            yield (f"triangles {follow}", "triangles", self.directory(follow), [],
                   lambda report: check_triangles(report, self.reference))
        yield ("radii", "radii", self.directory("undirected"), [],
               lambda report: check_radii(report, self.reference["diameter_largest_wcc_undirected"]))


def check_bfs(report, reference):
    assert report["source"] == reference["source"]
    assert report["reached"] == reference["reached"]
    assert report["levels"] == reference["levels"]
    assert report["level_histogram"] == reference["histogram"]


def check_bc(report, bfs):
    """The paths to a vertex at distance d lead through d - 1 others, whichever way: so much its share adds to the sum."""
    assert report["sources"] == [bfs["source"]]
    between = sum(vertices * (distance - 1) for distance, vertices in enumerate(bfs["histogram"]) if distance > 0)
    assert abs(report["sum"] - between) <= 1e-9 * between
    assert len(report["top10"]) == 10


def check_apsp(report, bfs):
    assert report["sources"] == [bfs["source"]]
    assert report["pairs"] == bfs["reached"]
    assert report["max_distance"] == bfs["levels"] - 1
    assert report["sum_distances"] == sum(distance * vertices for distance, vertices in enumerate(bfs["histogram"]))


def check_apsp_sample(report, diameter):
    assert len(report["sources"]) == 32
    assert diameter.get("value", diameter.get("lower")) / 2 <= report["max_distance"] <= diameter.get("value", diameter.get("upper"))


def check_wcc(report, reference):
    assert report["components"] == reference["wcc_count_appearing"]
    assert report["largest"] == reference["wcc_largest_vertices"]


def check_pagerank(report, reference):
    assert report["vertices"] == reference["n"]
    assert abs(report["sum"] - 1) < 1e-9
    assert len(report["top10"]) == 10
    reference_ranks = dict(map(tuple, reference["top10"]))
    tenth_rank = reference["top10"][-1][1]
    for (vertex, rank), (_, reference_rank) in zip(report["top10"], reference["top10"]):
        assert abs(rank - reference_rank) < 1e-9
        # Of vertices whose ranks are equal but for the order of summation any may come first, or tenth.
        assert abs(rank - reference_ranks.get(vertex, tenth_rank)) < 1e-12


def check_sssp(report, reference):
    assert report["source"] == reference["source"]
    assert report["reached"] == reference["reached"]
    assert report["max_distance"] == reference["max_distance"]
    assert report["farthest"] == reference["argmax"]
    assert report["sum_distances"] == reference["sum_distances"]


def check_spmv(report, reference):
    """About the largest eigenvalue: at least that of a k-core, which is k; of a graph without weights at most sqrt(2 m), and 1 for loops."""
    assert report["largest"] > 0.99 * reference["max_core"]
    if "sssp" not in reference:
        assert report["largest"] < (2 * reference["undirected_simple_edges"]) ** 0.5 + 1


def check_kcore(report, reference):
    assert report["max_core"] == reference["max_core"]
    assert report["core_histogram"][-1] == reference["max_core_size"]
    assert sum(k * vertices for k, vertices in enumerate(report["core_histogram"])) == reference["core_histogram_checksum"]


def check_mis(report, reference):
    """At least a vertex of each component; of a k-core a member has k neighbours, which are none."""
    assert reference["wcc_count_appearing"] <= report["members"] <= reference["vertices_appearing"] - reference["max_core"]


def check_triangles(report, reference):
    assert report["triangles"] == reference["triangles"]


def check_radii(report, diameter):
    """The farthest of 64 sources: no more than the diameter of the largest component, no less than half of it."""
    upper = diameter.get("value", diameter.get("upper"))
    lower = diameter.get("value", diameter.get("lower"))
    assert lower / 2 <= report["estimate"] <= upper
