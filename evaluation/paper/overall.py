"""The overall table: 80% of the edges far, against all local, from disk and with swap."""

from harness import baselines, ratios, rounds
from harness.ways import Case

from paper import pictures, published, section
from paper.bench import FAR_RATIO, KERNELS
from paper.blocks import BaselinesBlock
from paper.section import Picture, Section, Table

NAME = "overall"
TITLE = "Overall: 80% of the edges far"
PAPER = ("16 workloads (four kernels on four graphs) with 80% far: Fargraph is 1.5 to 6.9 times as fast as the "
         "original, which reads from disk in limited memory, and 1.7 to 8.3 times as fast as Fastswap.")
HOW = ("All but the oracle run in memory cgroups with the same limit. The original reads 80% of the edges from the "
       "graph's files whenever it needs them; swap is the oracle's command in too little memory, on a local disk "
       "unless --swap_device says otherwise, in place of the paper's Fastswap, which needs a Linux that is patched for "
       "it; page is that command with its edges in memory that a pager fetches from the memory node, 4 KiB page by page. "
       "Every answer is verified. Times are those of the kernel, which a job runs once, of PageRank those of one "
       "iteration; a ratio is the median of ratios within rounds (smallest and largest in brackets).")
# Which of the paper's schemes a baseline is held against.
COUNTERPARTS = {baselines.ORACLE: published.ORACLE, baselines.ORIGINAL: published.ORIGINAL}


def names():
    """Of the baselines that this host can run."""
    return tuple(name for name in baselines.NAMES if not baselines.why_not(name))


def blocks(bench):
    return [BaselinesBlock(NAME, Case(kernel, graph), FAR_RATIO, names())
            for graph in bench.graphs(bench.size.graphs) for kernel in KERNELS]


def against_fargraph(runs, name):
    """{(kernel, graph): Spread of the baseline's time / Fargraph's}."""
    found = {case: ratios.ratios(*(rounds.seconds_by_round(runs, *case, way) for way in (name, baselines.FARGRAPH)))
             for case in _cases(runs)}
    return {case: ratios.spread(those) for case, those in found.items() if those}


def _cases(runs):
    return list(dict.fromkeys((run.kernel, run.graph) for run in runs))


def _names_in(runs):
    found = {run.way for run in runs}
    return [name for name in baselines.NAMES if name in found]


def _others(runs):
    return [name for name in _names_in(runs) if name != baselines.FARGRAPH]


def times_table(runs):
    spreads = {name: against_fargraph(runs, name) for name in _others(runs)}
    rows = []
    for case in _cases(runs):
        found = [rounds.seconds_by_round(runs, *case, name) for name in _names_in(runs)]
        rows.append([*reversed(case),
                     *(section.seconds(ratios.spread(those.values()).median) if those else "-" for those in found),
                     *(section.factor(spreads[name][case]) if case in spreads[name] else "-" for name in _others(runs))])
    return Table("overall", "Seconds, and how many times as fast Fargraph is as each",
                 ["graph", "kernel", *(f"{name} s" for name in _names_in(runs)), *(f"vs {name}" for name in _others(runs))], rows)


def means(runs):
    """{(kernel, name): geometric mean over graphs of how many times as fast Fargraph is}."""
    found = {}
    for name in _others(runs):
        for kernel in dict.fromkeys(run.kernel for run in runs):
            medians = [spread.median for case, spread in against_fargraph(runs, name).items() if case[0] == kernel]
            if medians:
                found[kernel, name] = ratios.geometric_mean(medians)
    return found


def means_table(runs):
    """Beside the paper's. Whatever swaps or pages stands beside Fastswap."""
    found, rows = means(runs), []
    for kernel in dict.fromkeys(run.kernel for run in runs):
        row = [kernel]
        for name in _others(runs):
            theirs = published.overall_mean(kernel, COUNTERPARTS.get(name, published.FASTSWAP), published.FARGRAPH)
            row += [section.times(found[kernel, name]) if (kernel, name) in found else "-", section.times(theirs)]
        rows.append(row)
    header = [column for name in _others(runs)
              for column in (f"vs {name}", f"paper: vs {COUNTERPARTS.get(name, published.FASTSWAP)}")]
    return Table("overall-paper", "How many times as fast Fargraph is, geometric means over the graphs, here and in the paper",
                 ["kernel", *header], rows)


def sentences(runs):
    said = []
    for name in _others(runs):
        spreads = against_fargraph(runs, name)
        if not spreads:
            continue
        mean = ratios.geometric_mean(spread.median for spread in spreads.values())
        least, most = (choose(spreads, key=lambda case: spreads[case].median) for choose in (min, max))
        said.append(f"Fargraph is {section.times(mean)} as fast as {name} in the geometric mean over {len(spreads)} workloads, from "
                    f"{section.times(spreads[least].median)} ({' on '.join(least)}) to "
                    f"{section.times(spreads[most].median)} ({' on '.join(most)}).")
    return said


def make(measured, _bench):
    runs = [one.run for one in measured]
    spreads = {name: against_fargraph(runs, name) for name in _others(runs)}
    return Section(NAME, TITLE, PAPER, sentences(runs), [times_table(runs), means_table(runs)],
                   [Picture("overall", "Time of each, against Fargraph's; above 1 Fargraph is faster.",
                            lambda: pictures.bars(_cases(runs), spreads, "time / Fargraph's time"))], HOW)
