"""Buffers that are filled while another is computed on, and a single one."""

import dataclasses
import statistics

from harness import ratios, rounds, sweeps
from harness.ways import Case

from paper import pictures, published, section
from paper.blocks import SweepBlock
from paper.section import Picture, Section, Table

NAME = "buffering"
TITLE = "Buffers that hide the link"
PAPER = "BFS and PageRank on four graphs: buffering takes up to 19% off the duration, more on large graphs."
HOW = ("80% of the edges far. Without buffering each thread has one buffer (--buffers=1) and waits for what it asked "
       "for; with it the runtime chooses how many are under way while one is computed on.")
KERNELS = ("bfs", "pagerank")
WITHOUT, WITH = "1", sweeps.TUNED
SWEEP = dataclasses.replace(sweeps.SWEEPS["buffers"], values=(1,))


def blocks(bench):
    return [SweepBlock(NAME, Case(kernel, graph), SWEEP, bench.rate)
            for kernel in KERNELS for graph in bench.graphs(bench.size.graphs)]


def saved(runs):
    """{(kernel, graph): Spread of the share of the duration that buffers save}"""
    found = {case: ratios.ratios(*(rounds.seconds_by_round(runs, *case, way) for way in (WITH, WITHOUT)))
             for case in dict.fromkeys((run.kernel, run.graph) for run in runs)}
    return {case: ratios.spread(1 - ratio for ratio in those) for case, those in found.items() if those}


def _saved_seconds(without, with_them):
    """The median of what was saved within a round."""
    return statistics.median(without[number] - with_them[number] for number in without.keys() & with_them.keys())


def buffering_table(runs):
    rows = []
    for (kernel, graph), spread in saved(runs).items():
        without, with_them = (rounds.seconds_by_round(runs, kernel, graph, way) for way in (WITHOUT, WITH))
        rows.append([kernel, graph, *(section.seconds(statistics.median(times.values())) for times in (without, with_them)),
                     f"{_saved_seconds(without, with_them):.4f}", f"{spread.median:.0%} ({section.percent_range(spread)})"])
    return Table("buffering", "Seconds without and with buffering, and what it saves",
                 ["kernel", "graph", "without s", "with s", "saved s", "saved"], rows)


def sentences(runs):
    found, said = saved(runs), []
    for kernel in dict.fromkeys(kernel for kernel, _ in found):
        here = [spread.median for case, spread in found.items() if case[0] == kernel]
        theirs = published.buffering_saved(kernel)
        said.append(f"{kernel}: buffering saves {section.percent_range(here)} of the duration; in the paper's table "
                    f"{section.percent_range(theirs)}.")
    return said


def make(measured, _bench):
    runs = [one.run for one in measured]
    found = {case: ratios.Spread(*(1 - share for share in (spread.median, spread.most, spread.least)))
             for case, spread in saved(runs).items()}
    return Section(NAME, TITLE, PAPER, sentences(runs), [buffering_table(runs)],
                   [Picture("buffering", "Duration with buffering, of that without.", lambda: pictures.bars(
                       list(found), {"with buffering": found}, "time / time without", log=False))], HOW)
