"""The paper's results as if they had been measured here, for tests."""

from harness import baselines, sweeps
from paper import buffering, overall, published
from paper.cells import Cell, Measured

NAMES = {published.ORACLE: baselines.ORACLE, published.ORIGINAL: baselines.ORIGINAL, published.FASTSWAP: baselines.FASTSWAP,
         published.FARGRAPH: baselines.FARGRAPH}
MACHINE = {"cpu": "Xeon", "cores": 32, "memory_mib": 128 << 10, "kernel": "4.11", "transparent_huge_pages": "madvise",
           "reserved_huge_pages": 0, "busy": 0.0, "openmp_environment": {}, "commit": "none"}


def measured(experiment, kernel, graph, way, seconds, number=0, **report):
    return Measured(Cell(experiment, kernel, graph, graph, way, number, {}), "own", 0, seconds, 0.0, report, None, seconds,
                    "2022-05-30T00:00:00+00:00", MACHINE)


def of_overall():
    return [measured(overall.NAME, kernel, graph, NAMES[scheme], seconds)
            for scheme, kernels in published.OVERALL.items() for kernel, times in kernels.items()
            for graph, seconds in zip(published.GRAPHS, times)]


def of_buffering():
    return [measured(buffering.NAME, kernel, graph, sweeps.TUNED if buffers else buffering.WITHOUT, seconds)
            for buffers, kernels in published.BUFFERING.items() for kernel, times in kernels.items()
            for graph, seconds in zip(published.GRAPHS, times)]
