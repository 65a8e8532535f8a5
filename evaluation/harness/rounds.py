"""Interleaves the runs: a round runs every way of every case once, so that whatever disturbs the machine meanwhile
hits all alike, and ratios are taken between runs that were seconds apart."""

import itertools
import random
import statistics
import sys
import time
from dataclasses import asdict, dataclass

from harness import machine, programs


@dataclass(frozen=True)
class Run:
    """One timed process."""

    round: int
    kernel: str
    graph: str
    way: str
    kind: str       # of the way: own, peer or copy
    source: int
    seconds: float  # the median of its trials; of one iteration where the kernel does a fixed number of them
    busy: float     # the share of the processors that something else used just before
    report: dict    # what the program said beside the time
    stolen: float = 0  # the share of the processors that the host of a virtual machine took meanwhile, if that was asked

    def as_dict(self):
        return asdict(self)


def order(cases, numbers):
    """Yields (round, case, way). The ways of a case follow each other, in another order every round, so that none
    always runs in the wake of the same neighbour."""
    for number in numbers:
        shuffled = random.Random(number)
        for case, ways in cases.items():
            for way in shuffled.sample(ways, len(ways)):
                yield number, case, way


def run_once(number, case, way, source, settings):
    machine.take_memory(2 * case.graph.bytes())  # lists in both directions are copied from the files
    busy = machine.wait_until_quiet(settings.patience_seconds)
    before = machine.Ticks.now()
    seconds, report = way.run(case, source, settings)
    stolen = (machine.Ticks.now() - before).stolen_share()
    return Run(number, case.kernel, case.graph.name, way.name, way.kind, source,
               statistics.median(seconds) / settings.iterations_of(case.kernel), busy, report, stolen)


def warm_up(cases, sources, settings):
    """Runs every way once, untimed: files get cached, far edges uploaded, the largest far ratio first because its far
    set contains the others'. Returns the cases without the ways that failed, and why these failed."""
    able, refusals = {}, []
    for case, ways in cases.items():
        able[case] = []
        for way in sorted(ways, key=lambda way: -way.far_ratio):
            try:
                run_once(0, case, way, sources[case.graph.name][0], settings)
                able[case].append(way)
            except (programs.Failed, ValueError) as error:
                refusals.append(f"left out: {case}, {way.name}: {error}")
    return {case: ways for case, ways in able.items() if ways}, refusals


def measure(cases, sources, settings, numbers, after_round, leave_out):
    """The runs of the rounds with these numbers. A round's searches begin at one of the sources, the same for all
    ways. `after_round` is called with all runs so far, `leave_out` with [why] of each that failed."""
    runs, began = [], time.monotonic()
    for number, same_round in itertools.groupby(order(cases, numbers), key=lambda planned: planned[0]):
        for _, case, way in same_round:
            candidates = sources[case.graph.name]
            try:
                runs.append(run_once(number, case, way, candidates[number % len(candidates)], settings))
            except (programs.Failed, ValueError) as error:
                leave_out([f"left out: {case}, {way.name}, round {number + 1}: {error}"])
        done = [run for run in runs if run.round == number]
        print(f"round {number + 1} done after {time.monotonic() - began:.0f} s; other programs used at most "
              f"{max((run.busy for run in done), default=0):.0%} of the processors before a run, the host of a virtual machine "
              f"{max((run.stolen for run in done), default=0):.0%} in one", file=sys.stderr)
        after_round(runs)
    return runs


def link_shares(runs, kernel, graph, way, copy="copy"):
    """What a run fetched in a second against what the copy of that name moved in one, for every round that has both."""
    fetched, copied = ({run.round: run.report for run in runs if (run.kernel, run.graph, run.way) == (kernel, graph, name)}
                       for name in (way, copy))
    return [fetched[number]["bytes_fetched"] / fetched[number]["seconds"] / copied[number]["bytes_per_second"]
            for number in sorted(fetched.keys() & copied.keys())]


def seconds_by_round(runs, kernel, graph, way):
    return {run.round: run.seconds for run in runs
            if (run.kernel, run.graph, run.way) == (kernel, graph, way)}


def first_seconds_by_round(runs, kernel, graph, way):
    """Of the first trial of each process, as reports of ours tell it."""
    return {run.round: run.report["trial_seconds"][0] for run in runs
            if (run.kernel, run.graph, run.way) == (kernel, graph, way)}
