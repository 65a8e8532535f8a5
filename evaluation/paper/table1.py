"""The workloads: kernels and graphs."""

import statistics

from harness import ratios, rounds, ways
from harness.ways import Case

from paper import published, section
from paper.bench import KERNELS
from paper.blocks import PlacementsBlock, far_name
from paper.section import Section, Table
from paper.sizes import STANDS_FOR

NAME = "table1"
TITLE = "The workloads"
PAPER = ("Breadth-first search and weakly connected components (random reads), PageRank and radii (random and "
         "sequential reads), on Live Journal, Orkut, Twitter7 and Friendster, whose jobs take 2.4 to 60.4 GB.")
HOW = ("Each kernel runs with all edges local, for its memory and time, and with all of them far, which shows what it "
       "reads: every iteration of a kernel that scans asks for large pieces and for all of them, a search for a few.")
ALL_FAR = far_name(1)


def blocks(bench):
    return [PlacementsBlock(NAME, Case(kernel, graph), (0, 1))
            for graph in bench.graphs(bench.size.graphs) for kernel in KERNELS]


def graphs_table(runs):
    rows = []
    for graph in dict.fromkeys(run.graph for run in runs):
        mine = [run.report for run in runs if run.graph == graph]
        local = [run.report["peak_memory_bytes"] for run in runs if run.graph == graph and run.way == ways.LOCAL]
        rows.append([f"{graph}, for {STANDS_FOR[graph]}" if graph in STANDS_FOR else graph, section.count(mine[0]["vertices"]),
                     section.count(mine[0]["edges"]), f"{mine[0]['edges'] * 4 / 2**20:.0f}",
                     f"{max(local) / 2**20:.0f}" if local else "-"])
    return Table("table1-graphs",
                 "Graphs: both directions of an undirected edge count; the memory is the most that a kernel takes",
                 ["graph", "vertices", "edges", "edge MiB", "memory MiB"], rows)


def kernels_table(runs):
    rows = []
    for kernel, graph in dict.fromkeys((run.kernel, run.graph) for run in runs):
        local = rounds.seconds_by_round(runs, kernel, graph, ways.LOCAL)
        far = [run.report for run in runs if (run.kernel, run.graph, run.way) == (kernel, graph, ALL_FAR)]
        rows.append([kernel, published.FEATURES[kernel][1], graph,
                     section.seconds(ratios.spread(local.values()).median) if local else "-", *_reads(far)])
    return Table("table1-kernels", "Kernels: what the paper says of their reads, and what was read here with all edges far",
                 ["kernel", "paper: reads", "graph", "local s", "iterations", "edge bytes read an iteration", "KiB a read",
                  "asked for"], rows)


def _reads(reports):
    if not reports:
        return ["-"] * 4
    report = reports[0]
    fetched, requests, iterations = (report[name] for name in ("bytes_fetched", "requests", "iterations"))
    share = statistics.median(one["bytes_fetched"] / max(1, one["iterations"]) / (one["edges"] * 4) for one in reports)
    return [str(iterations), section.percent(share), f"{fetched / requests / 1024:.0f}" if requests else "-",
            section.percent(report["bytes_useful"] / fetched) if fetched else "-"]


def make(measured, _bench):
    runs = [one.run for one in measured]
    theirs = Table("table1-paper", "The paper's graphs", ["graph", "vertices", "edges", "edges", "memory"], published.WORKLOADS)
    return Section(NAME, TITLE, PAPER, [], [graphs_table(runs), kernels_table(runs), theirs], [], HOW)
