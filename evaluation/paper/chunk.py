"""Chunk sizes, on graphs of different numbers of vertices."""

from harness import rounds, sweeps
from harness.ways import Case

from paper import pictures, section
from paper.blocks import SweepBlock
from paper.section import Picture, Section, Table

NAME = "chunk"
TITLE = "The size of chunks"
PAPER = ("Graphs of 40K, 400K, 4M and 40M vertices: the time to move data differs with the chunk size. BFS and "
         "PageRank on LJ and OR: 32K and 256K are better than the page size of 4K, and what is best depends on the "
         "slower of RDMA and PCIe.")
HOW = ("80% of the edges far, the chunk size set by hand from 4 KiB to 4 MiB, and once as the runtime tunes it. "
       "Kronecker graphs stand for the numbers of vertices.")
KERNELS = ("bfs", "pagerank")
SWEEP = sweeps.SWEEPS["chunk_size"]


def blocks(bench):
    return [SweepBlock(NAME, Case(kernel, graph), SWEEP, bench.rate)
            for graph in bench.graphs(bench.size.graphs_by_vertices) for kernel in KERNELS]


def curves(runs):
    """{(kernel, graph): sweeps.Curve}"""
    found = {case: sweeps.curve(SWEEP, runs, case) for case in dict.fromkeys((run.kernel, run.graph) for run in runs)}
    return {case: curve for case, curve in found.items() if curve}


def chunk_table(runs, found):
    vertices = {run.graph: run.report["vertices"] for run in runs}
    names = SWEEP.way_names()
    rows = [[graph, section.count(vertices[graph]), kernel, section.seconds(curve.first_seconds),
             *(f"{curve.times[name].median:.2f}" if name in curve.times else "-" for name in names),
             curve.best.value.removesuffix(SWEEP.unit), (curve.best.tuned or "-").removesuffix(SWEEP.unit)] for (kernel, graph), curve in found.items()]
    return Table("chunk", f"Time against that at {SWEEP.first}, by KiB",
                 ["graph", "vertices", "kernel", f"s at {SWEEP.first}", *(name.removesuffix(SWEEP.unit) for name in names),
                  "best", "tuned to"], rows)


def sentences(found):
    said = []
    for (kernel, graph), curve in found.items():
        text = f"{kernel} on {graph}: {curve.best.value} is best and saves {curve.best.saved:.0%} against {SWEEP.first}"
        if curve.best.tuned:
            text += f"; tuned to {curve.best.tuned} it takes "
            text += f"{section.times(curve.best.against_choice.median)} the time of what the other rounds choose by hand"
        said.append(f"{text}.")
    return said


def points(runs, found):
    """{(kernel, graph): {name: {KiB: Spread of seconds}}}"""
    return {case: {"by hand": {value: curve.seconds(SWEEP.way_name(value)) for value in SWEEP.values
                               if SWEEP.way_name(value) in curve.times},
                   **_tuned_point(runs, case, curve)} for case, curve in found.items()}


def _tuned_point(runs, case, curve):
    if not rounds.seconds_by_round(runs, *case, sweeps.TUNED) or not curve.best.tuned:
        return {}
    return {"tuned": {float(curve.best.tuned.removesuffix(SWEEP.unit)): curve.seconds(sweeps.TUNED)}}


def make(measured, _bench):
    runs = [one.run for one in measured]
    found = curves(runs)
    return Section(NAME, TITLE, PAPER, sentences(found), [chunk_table(runs, found)],
                   [Picture("chunk", "Duration over the chunk size.",
                            lambda: pictures.lines(points(runs, found), "chunk size in KiB", "seconds", doubling=True))], HOW)
