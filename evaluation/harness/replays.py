"""Replays of block traces with one setting changed from run to run: what is swept, and what comes of it."""

import json
import os
import random
import statistics
import tempfile
from dataclasses import asdict, dataclass

from harness import machine, programs, ratios, sweeps

WAYS = "ways"  # not a sweep: all settings as they are
ALL = "all"    # requests of a window


@dataclass(frozen=True)
class ReplaySweep:
    """The flag of `fargraph replay` takes one of the values after the other; the first is what others are compared with."""

    label: str
    flag: str
    values: tuple
    fetches = True
    whole = "bytes asked for"

    @staticmethod
    def way_name(value):
        return value

    def flags(self, value):
        return [f"--{self.flag}={0 if value == ALL else value}"]


SWEEPS = {
    "merge_gap": ReplaySweep("gap up to which requests are merged", "merge_gap",
                             ("0B", "2KiB", "4KiB", "8KiB", "16KiB", "32KiB")),
    "request_size": ReplaySweep("largest request", "request_size", ("4KiB", "16KiB", "64KiB", "256KiB", "1MiB")),
    "window": ReplaySweep("requests that are planned together", "window", ("256", "4096", "65536", ALL)),
    "block_size": ReplaySweep("block", "block_size", ("512B", "4KiB")),
    "depth": ReplaySweep("reads in flight", "depth", ("1", "4", "16", "64", "128")),
}


@dataclass(frozen=True)
class ReplayRun:
    """One process, which replays in every way."""

    round: int
    trace: str
    sweep: str
    value: str
    busy: float  # the share of the processors that something else used just before
    report: dict

    def as_dict(self):
        return asdict(self)

    def way(self, name):
        [found] = [way for way in self.report["ways"] if way["way"] == name]
        return found


def replay(*arguments):
    """What `fargraph replay` reports."""
    return json.loads(programs.run([programs.FARGRAPH, "replay", "--json=-", *arguments])[0])


def trace_job(kernel, graph, folder):
    """Traces a job that reads all edges from the graph's own files; returns what a replay of it is told."""
    descriptor, path = tempfile.mkstemp(prefix=f"{kernel}-", suffix=".spc", dir=folder)
    os.close(descriptor)
    programs.run([programs.FARGRAPH, "run", kernel, graph, f"--ssd_dirs={graph}", "--far_ratio=1", f"--read_trace={path}"])
    return [path, "--window=time"]


def cases(traces, names):
    """(trace, sweep, value, flags) of all that a round runs."""
    found = [(trace, name, value, SWEEPS[name].flags(value))
             for trace in traces for name in names if name != WAYS for value in SWEEPS[name].values]
    return found + [(trace, WAYS, "", []) for trace in traces if WAYS in names]


def measure(traces, names, flags, numbers, patience_seconds, after_round, leave_out):
    """The runs of the rounds with these numbers; `traces`: {name: [path, flag...]}. Every round has another order.
    `after_round` is called with all runs so far, `leave_out` with [why] of each that failed."""
    runs = []
    for number in numbers:
        planned = cases(traces, names)
        for trace, name, value, more in random.Random(number).sample(planned, len(planned)):
            busy = machine.wait_until_quiet(patience_seconds)
            try:
                runs.append(ReplayRun(number, trace, name, value, busy, replay(*traces[trace], *flags, *more)))
            except programs.Failed as error:
                leave_out([f"left out: {trace}, {name} {value}, round {number + 1}: {error}"])
        after_round(runs)
    return runs


def ratio_to_direct(runs, way):
    """How many times as long direct submission took, in the same process."""
    return ratios.spread(run.way("direct")["seconds"] / run.way(way)["seconds"] for run in runs)


def curve(runs, trace, name):
    """Of the bitmap, over the values of a sweep; None where some value has no round in common with the first."""
    sweep = SWEEPS[name]
    mine = {value: {run.round: run.way("bitmap") for run in runs if (run.trace, run.sweep, run.value) == (trace, name, value)}
            for value in sweep.values}
    seconds = {value: {number: way["seconds"] for number, way in found.items()} for value, found in mine.items()}
    first = sweep.values[0]
    compared = {value: ratios.ratios(those, seconds[first]) for value, those in seconds.items()}
    if not all(compared.values()):
        return None
    times = {value: ratios.spread(found) for value, found in compared.items()}
    asked = next(run.report["asked_bytes"] for run in runs if run.trace == trace)
    fetched = {value: next(iter(found.values()))["bytes"] / asked for value, found in mine.items()}
    best = min(times, key=lambda value: times[value].median)
    return sweeps.Curve(statistics.median(seconds[first].values()), times, fetched,
                        sweeps.Best(best, 1 - times[best].median))
