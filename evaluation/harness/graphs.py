"""The graphs that are measured on, and the vertices that searches begin at."""

import json
import pathlib
import random
import tempfile
from dataclasses import dataclass

from harness import programs

CANDIDATES_PER_SOURCE = 20


@dataclass(frozen=True)
class Graph:
    """A converted graph under the name that tables show."""

    name: str
    path: pathlib.Path

    @staticmethod
    def parse(text):
        """NAME=DIR, as on a command line."""
        name, equals, path = text.partition("=")
        if not (name and equals and path):
            raise ValueError(f"--graph takes NAME=DIR, not '{text}'")
        graph = Graph(name, pathlib.Path(path))
        if not (graph.path / "manifest.json").exists():
            raise ValueError(f"{path} is no graph directory; make one with evaluation/graphs or fargraph convert")
        return graph

    def bytes(self):
        """Of all its files."""
        return sum(file.stat().st_size for file in self.path.iterdir())

    def edges(self):
        return json.loads((self.path / "manifest.json").read_text())["edges"]


def with_heads(path, count):
    """The directory of the same graph, converted with --heads=count: it lies beside it."""
    return path.with_name(f"{path.name}.heads{count}")


def read_output(path):
    """The columns of a binary output file (docs/output-format.md) by name."""
    import numpy  # here, because the testbed's machine takes seconds to load it
    header = numpy.fromfile(path, "S8, <u4, <u4, <u8", count=1)[0]
    vertices = int(header[3])
    columns, offset = {}, 24 + 32 * int(header[2])
    for name, kind in numpy.fromfile(path, "S24, S8", count=int(header[2]), offset=24):
        values = numpy.fromfile(path, kind.decode(), count=vertices, offset=offset)
        columns[name.decode()] = values
        offset += -(-values.nbytes // 8) * 8
    return columns


def _search(graph, *flags):
    return json.loads(programs.run([programs.FARGRAPH, "run", "bfs", graph.path, "--json=-", *flags])[0])


def choose_sources(graph, count):
    """The vertex with most out-edges and others, always the same, that reach at least half as many vertices as it does,
    so that no search is over before it began."""
    if count == 1:
        return [_search(graph)["source"]]
    with tempfile.NamedTemporaryFile(prefix="fargraph-levels-") as output:
        first = _search(graph, f"--output={output.name}", "--output_format=binary")
        columns = read_output(output.name)
    reached = columns["vertex"][columns["level"] >= 0].tolist()
    candidates = random.Random(graph.name).sample(reached, min(len(reached), CANDIDATES_PER_SOURCE * count))
    sources = [first["source"]]
    for candidate in candidates:
        if len(sources) == count:
            break
        if candidate != first["source"] and 2 * _search(graph, f"--source={candidate}")["reached"] >= first["reached"]:
            sources.append(candidate)
    return sources
