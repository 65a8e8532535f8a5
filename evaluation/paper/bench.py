"""What all experiments of one measurement share: the size, the graphs and where far edges go."""

import functools
import json
import pathlib
from dataclasses import dataclass

from harness import baselines, graphs, programs, ways
from harness.graphs import Graph
from harness.host import swap

from paper.cells import Cell
from paper.sizes import Size

KERNELS = ("bfs", "wcc", "pagerank", "radii")  # the paper's
FAR_RATIO = 0.8
PRECISION = "single"
MOST_SOURCES = 4  # vertices that searches begin at, in turn


@dataclass(frozen=True)
class Bench:
    size: Size
    folder: pathlib.Path          # of the graphs that are made
    own_graphs: tuple[Graph, ...]  # the user's, in place of the size's
    transport: str
    rate: str | None              # of a link that chunks cross and buffers hide
    swap_folder: str
    swap_device: str | None
    patience_seconds: float

    def graphs(self, names):
        """The user's, or those with these names."""
        return self.own_graphs or tuple(Graph(name, self.folder / name) for name in names)

    def settings(self, block):
        return ways.Settings(self.size.iterations, self.size.trials if block.repeats else 1, PRECISION, self.patience_seconds)

    def cells(self, block):
        """All of a block's, in no order; none if its graph was not made yet."""
        manifest = _manifest(block.case.graph.path)
        if not manifest:
            return []
        shared = self.settings(block)
        settings = {"trials": shared.trials, "iterations": shared.iterations, "precision": shared.precision,
                    "transport": self.transport, **block.settings}
        return [Cell(block.experiment, block.case.kernel, block.case.graph.name, manifest["content_id"], name, number,
                     {**settings, **self._swap_of(name)})
                for number in range(self.size.rounds) for name in block.way_names]

    def _swap_of(self, way_name):
        """What a way that swaps does so to: a disk's times are not those of far memory."""
        if way_name.partition(" ")[0] not in baselines.SWAPPING:
            return {}
        return {"swap": swap.medium(pathlib.Path(self.swap_device).resolve()) if self.swap_device else "file"}

    def sources(self, graph):
        return _sources(graph, min(self.size.rounds, MOST_SOURCES))


@functools.cache
def _sources(graph, count):
    return graphs.choose_sources(graph, count)


def _manifest(path):
    file = path / "manifest.json"
    return json.loads(file.read_text()) if file.exists() else None


def make_missing(made):
    """Those of the graphs that are not there. The user's are."""
    for graph in made:
        if not (graph.path / "manifest.json").exists():
            programs.run([programs.REPOSITORY / "evaluation/graphs", graph.path.parent, graph.name])
