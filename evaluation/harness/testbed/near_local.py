"""The part of testbed_near_local that runs inside the testbed's machine.

usage: python3 -m harness.testbed.near_local GRAPH ROUNDS OUTPUT     in the folder evaluation
"""

import os
import pathlib
import shutil
import sys
import tempfile

from harness import machine, memory_budget, programs, ratios, rounds, table, ways
from harness.graphs import Graph, choose_sources
from harness.host import rdma_swap
from harness.host.memory_cgroup import MemoryCgroup
from harness.results import Results
from harness.yardsticks import read_bandwidth

ADDRESS = os.environ.get("FARGRAPH_TEST_HOST", "")
DEVICE = "rxe0"
FAR_RATIO = 0.8
SCAN, SEARCH = "pagerank", "bfs"
SWAPPED = "local, swapping"
SWAP_GRAPHS = 3  # room on the swap device, in graphs
REQUIRED_SHARE, REQUIRED_SPEEDUP = 0.9, 5
SETTINGS = ways.Settings(iterations=3, trials=1, precision="single")


def copy_to_memory(graph):
    """So that no page of a file that a job reads is charged to its cgroup."""
    copied = pathlib.Path(tempfile.mkdtemp()) / graph.name
    shutil.copytree(graph.path, copied)
    return Graph(graph.name, copied)


def far_run(node_flags, far_ratio, launcher=()):
    return ways.far_run(node_flags, "verbs", far_ratio).within(launcher)


def budget_of(case, source, node_flags):
    """Bytes that the kernel needs with most edges far, and a margin. Files are in memory already and charged to nobody."""
    with MemoryCgroup(f"peak-{case.kernel}") as group:
        far_run(node_flags, FAR_RATIO, group.launcher).run(case, source, SETTINGS)
        peak = group.peak()
    return memory_budget.needed([far_run(node_flags, FAR_RATIO)], case, source, SETTINGS, peak)


def ways_within(budget, kernel, node_flags):
    """The far job without swap and the local one with it, both with the same memory; and the local one with all it needs."""
    far = MemoryCgroup(f"far-{kernel}").limit(budget, swap=False)
    local = MemoryCgroup(f"local-{kernel}").limit(budget, swap=True)
    return [far_run(node_flags, FAR_RATIO, far.launcher), ways.OwnRun(SWAPPED).within(local.launcher),
            ways.OwnRun(ways.LOCAL)]


def make_cases(graph, source, node_flags):
    cases = {}
    for kernel in (SCAN, SEARCH):
        case = ways.Case(kernel, graph)
        far_run(node_flags, 1).run(case, source, SETTINGS)  # uploads
        budget = budget_of(case, source, node_flags)
        print(f"{kernel} with {FAR_RATIO:.0%} of the edges far has {budget >> 20} MiB", flush=True)
        cases[case] = ways_within(budget, kernel, node_flags)
    scan = ways.Case(SCAN, graph)
    _, report = far_run(node_flags, 1).run(scan, source, SETTINGS)
    cases[scan] += [far_run(node_flags, 1),
                    ways.CopyRun(lambda: read_bandwidth.measure(DEVICE, ADDRESS, report["chunk_bytes"]))]
    return cases


def scan_table(runs, graph):
    scan = ways.far_name("verbs", 1)
    fetched = [run.report["bytes_fetched"] / run.report["seconds"] for run in runs if run.way == scan]
    copied = [run.report["bytes_per_second"] for run in runs if run.kind == "copy"]
    shares = ratios.spread(rounds.link_shares(runs, SCAN, graph.name, scan))
    row = [f"{SCAN}, all edges far", f"{ratios.spread(fetched).median / 1e6:.0f}",
           f"{ratios.spread(copied).median / 1e6:.0f}", table.ratio(shares), REQUIRED_SHARE]
    return table.render(["dense scan", "MB/s", "ib_read_bw MB/s", "share", "at least"], [row])


def swap_table(runs, graph):
    names = (ways.LOCAL, ways.far_name("verbs", FAR_RATIO), SWAPPED)
    rows = []
    for kernel in (SCAN, SEARCH):
        local, far, swapped = (rounds.seconds_by_round(runs, kernel, graph.name, name) for name in names)
        rows.append([kernel, *(table.seconds(ratios.spread(seconds.values()).median) for seconds in (local, far, swapped)),
                     table.ratio(ratios.spread(ratios.ratios(swapped, far))), REQUIRED_SPEEDUP])
    return table.render(["kernel", "local s", "far s", "swapping s", "times faster", "at least"], rows)


def main():
    graph = copy_to_memory(Graph.parse(sys.argv[1]))
    count, output = int(sys.argv[2]), f"{sys.argv[3]}.json"
    description = {**machine.describe(), "testbed": "emulated processors, Soft-RoCE"}
    print(machine.text(description), flush=True)
    rdma_swap.swap_on(SWAP_GRAPHS * graph.bytes(), ADDRESS)
    [source] = choose_sources(graph, 1)
    capacity = f"{64 + 3 * graph.bytes() // 2**20}MiB"
    with programs.memory_node_at(ADDRESS, "verbs", capacity) as node_flags:
        cases = make_cases(graph, source, node_flags)
        runs = Results(output, description, resume=False).measure(cases, {graph.name: [source]}, SETTINGS, count)
    print(f"\n{scan_table(runs, graph)}\n\n{swap_table(runs, graph)}")


if __name__ == "__main__":
    programs.run_main("testbed_near_local", main)
