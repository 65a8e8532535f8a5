"""The sweep of the far ratio: Fargraph and swap in the same memory."""

from harness import baselines, ratios, rounds
from harness.ways import Case

from paper import pictures, section
from paper.blocks import BaselinesBlock
from paper.section import Picture, Section, Table

NAME = "ratio"
TITLE = "More and more of the edges far"
PAPER = ("BFS on LJ and FR with a growing share of far memory: Fargraph takes less time than Fastswap, most of all "
         "where the share is large, so more memory can be far at the same speed.")
HOW = ("At each ratio swap has the memory that Fargraph was found to need with this share of the edges far, and 15%, and the "
       "job with all edges local runs in the same rounds as both. PageRank is measured beside the paper's BFS: our BFS turns "
       "around and looks at parents from the other side, so it needs few of the far edges.")
KERNELS = ("bfs", "pagerank")


def blocks(bench):
    graphs = bench.graphs(bench.size.graphs)
    return [block for graph in dict.fromkeys([graphs[0], graphs[-1]]) for kernel in KERNELS
            for block in _blocks_of(Case(kernel, graph), bench)]


def _blocks_of(case, bench):
    swapping = tuple(name for name in baselines.SWAPPING if not baselines.why_not(name))
    return [BaselinesBlock(NAME, case, far_ratio, (baselines.ORACLE, *swapping, baselines.FARGRAPH), sweeps=True)
            for far_ratio in bench.size.far_ratios]


def curves(runs):
    """{(kernel, graph): {baseline: {far ratio: Spread of seconds}}}, all beginning with the oracle of all ratios at 0."""
    found, local = {}, {}
    for kernel, graph, way in dict.fromkeys((run.kernel, run.graph, run.way) for run in runs):
        seconds = rounds.seconds_by_round(runs, kernel, graph, way).values()
        name, _, far_ratio = way.partition(" ")
        if name == baselines.ORACLE:
            local.setdefault((kernel, graph), []).extend(seconds)
        else:
            found.setdefault((kernel, graph), {}).setdefault(name, {})[float(far_ratio)] = ratios.spread(seconds)
    begin = {case: {0.0: ratios.spread(seconds)} for case, seconds in local.items()}
    return {case: {name: {**begin.get(case, {}), **curve} for name, curve in by_name.items()} for case, by_name in found.items()}


def ratio_table(runs, limits):
    """`limits`: {(kernel, graph, way): bytes}."""
    found = curves(runs)
    names = [name for name in baselines.NAMES if any(name in by_name for by_name in found.values())]
    rivals = [name for name in names if name != baselines.FARGRAPH]
    rows = []
    for case, by_name in found.items():
        for far_ratio in sorted({far_ratio for curve in by_name.values() for far_ratio in curve}):
            limit = limits.get((*case, f"{baselines.FARGRAPH} {far_ratio:g}"))
            rows.append([*reversed(case), section.percent(far_ratio), f"{limit / 2**20:.0f}" if limit else "-",
                         *(section.seconds(by_name[name][far_ratio].median) if far_ratio in by_name.get(name, {}) else "-"
                           for name in names),
                         *(_faster(runs, case, name, far_ratio) for name in rivals)])
    return Table("ratio", "Seconds with a share of the edges far, or with as little memory as that takes",
                 ["graph", "kernel", "far", "limit MiB", *(f"{name} s" for name in names),
                  *(f"vs {name}" for name in rivals)], rows)


def _ratios(runs, case, far_ratio, *names):
    """Within the rounds of that far ratio."""
    return ratios.ratios(*(rounds.seconds_by_round(runs, *case, f"{name} {far_ratio:g}") for name in names))


def _faster(runs, case, name, far_ratio):
    found = _ratios(runs, case, far_ratio, name, baselines.FARGRAPH)
    return section.factor(ratios.spread(found)) if found else "-"


def sentences(runs, found):
    """What the largest ratio costs."""
    said = []
    for case, by_name in found.items():
        for name, curve in by_name.items():
            last = max(curve)
            slower = _ratios(runs, case, last, name, baselines.ORACLE)
            if slower:
                kernel, graph = case
                said.append(f"{kernel} on {graph}: with {last:.0%} far {name} takes "
                            f"{section.times(ratios.spread(slower).median)} the time of all local.")
    return said


def make(measured, _bench):
    runs = [one.run for one in measured]
    limits = {(one.cell.kernel, one.cell.graph, one.cell.way): one.limit_bytes for one in measured}
    found = curves(runs)
    return Section(NAME, TITLE, PAPER, sentences(runs, found), [ratio_table(runs, limits)],
                   [Picture("ratio", "Duration over the share of the edges that is far.",
                            lambda: pictures.lines(found, "share of the edges that is far", "seconds", shares=True))], HOW)
