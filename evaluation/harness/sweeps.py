"""One flag over a range of values: what is swept, and what is held against what."""

import os
from dataclasses import dataclass

from harness import ratios, rounds, ways


@dataclass(frozen=True)
class Sweep:
    """`fargraph run` with --flag=value for each of the values. The first value is what the others are compared with."""

    flag: str
    label: str
    values: tuple
    logarithmic: bool = False
    unit: str = ""  # behind a value on the command line

    def uploads(self):
        """How often the memory node holds a graph: far sets of other chunks are other uploads."""
        return len(self.values) if self.flag in ("chunk_size", "heads") else 1

    def way_name(self, value):
        return f"{value:g}{self.unit}"

    def ways(self, node_flags, arguments):
        return [self._way(value, node_flags, arguments) for value in self.values]

    def _way(self, value, node_flags, arguments):
        far_ratio = value if self.flag == "far_ratio" else arguments.far_ratio
        own = [f"--{self.flag}={self.way_name(value)}"] if self.flag != "far_ratio" else []
        far = ways.far_run(node_flags, arguments.transport, far_ratio, (*own, *arguments.flags))
        return ways.OwnRun(self.way_name(value), far.flags, far_ratio)


def _doubling(first, last):
    values = [first]
    while values[-1] < last:
        values.append(min(2 * values[-1], last))
    return tuple(values)


SWEEPS = {
    "far_ratio": Sweep("far_ratio", "share of the edge bytes that is far", tuple(i / 10 for i in range(11))),
    "chunk_size": Sweep("chunk_size", "chunk size in KiB", _doubling(4, 4096), logarithmic=True, unit="KiB"),
    "heads": Sweep("heads", "neighbours of every vertex that stay local", (0, 1, 2, 4, 8)),
    "buffers": Sweep("buffers", "buffers per thread", (1, 2, 3, 4, 6, 8)),
    "depth": Sweep("depth", "reads in flight per thread", _doubling(1, 64), logarithmic=True),
    "threads": Sweep("threads", "threads", _doubling(1, len(os.sched_getaffinity(0))), logarithmic=True),
}


def against_first(sweep, runs, kernel, graph):
    """Per value the Spread of time / time with the first value, or None where there is none."""
    first = rounds.seconds_by_round(runs, kernel, graph, sweep.way_name(sweep.values[0]))
    spreads = []
    for value in sweep.values:
        found = ratios.ratios(rounds.seconds_by_round(runs, kernel, graph, sweep.way_name(value)), first)
        spreads.append(ratios.spread(found) if found else None)
    return spreads
