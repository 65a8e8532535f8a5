"""Runs that differ in one thing, which takes one value after the other: what is swept, and what comes of it."""

import dataclasses
import os
import statistics
from collections.abc import Callable
from dataclasses import dataclass

from harness import ratios, rounds, ways
from harness.host import own_loopback

TUNED = "tuned"
TUNED_TOLERANCE = 1.05  # what was tuned against the best by hand
DEVICES = (1, 2, 4)


@dataclass(frozen=True)
class Sweep:
    """One way to run for each of the values, of which the first is what the others are compared with."""

    label: str
    values: tuple
    vary: Callable  # (far, value) -> a run with that value; far(*flags, far_ratio=X) is a run with most edges far,
    #                 far(ssds=N) one with them on the first so many SSDs
    unit: str = ""  # behind a value in tables
    tuned: Callable | None = None  # report -> the value that the runtime chose where it has the choice
    fetches: bool = False  # what comes over the link depends on the value
    misses_tlb: bool = False  # how often loads miss the data TLB depends on the value
    own_loopback: bool = False  # the value is one of a loopback device that nobody else uses
    whole = "bytes of all edges"  # that it is a share of

    @property
    def first(self):
        return self.way_name(self.values[0])

    def way_name(self, value):
        return value if isinstance(value, str) else f"{value:g}{self.unit}"

    def way_names(self):
        """Of all ways: the values, then what is tuned."""
        return [*map(self.way_name, self.values), *[TUNED] * bool(self.tuned)]

    def ways(self, tier_flags, arguments):
        def far(*flags, far_ratio=arguments.far_ratio, ssds=None):
            tier = [ways.ssd_dirs_flag(arguments.ssd_dirs[:ssds])] if ssds else tier_flags
            return ways.far_run(tier, arguments.transport, far_ratio, (*flags, *arguments.flags))

        runs = [self.vary(far, value) for value in self.values] + [far()] * bool(self.tuned)
        if self.misses_tlb:
            runs = [run.with_tlb_misses() for run in runs]
        return [dataclasses.replace(run, name=name) for run, name in zip(runs, self.way_names())]


def _doubling(first, last):
    values = [first]
    while values[-1] < last:
        values.append(min(2 * values[-1], last))
    return tuple(values)


SWEEPS = {
    "far_ratio": Sweep("share of the edge bytes that is far", tuple(i / 10 for i in range(11)),
                       lambda far, value: far(far_ratio=value), fetches=True),
    "chunk_size": Sweep("chunk size", _doubling(4, 4096), lambda far, value: far(f"--chunk_size={value}KiB"),
                        unit="KiB", tuned=lambda report: report["chunk_bytes"] / 1024, fetches=True),
    # They take their part of the local share first, so with all edges far there are none.
    "heads": Sweep("first neighbours of every vertex that stay local", (0, 1, 2, 4, 8),
                   lambda far, value: far().with_heads(value), fetches=True),
    "buffers": Sweep("buffers per thread", tuple(range(1, 9)), lambda far, value: far(f"--buffers={value}"),
                     tuned=lambda report: report["buffers"]),
    # One buffer is computed on; the reads into all others are in flight.
    "depth": Sweep("chunks in flight per thread", _doubling(1, 64), lambda far, value: far(f"--buffers={value + 1}"),
                   tuned=lambda report: report["buffers"] - 1),
    "threads": Sweep("threads", _doubling(1, len(os.sched_getaffinity(0))), lambda far, value: far(f"--threads={value}")),
    "devices": Sweep("SSDs", DEVICES, lambda far, value: far(ssds=value)),
    "huge_pages": Sweep("huge pages", ("off", "on"), lambda far, value: far().on_small_pages() if value == "off" else far(),
                        misses_tlb=True),
    "segments": Sweep("largest TCP segment", _doubling(64, 512),
                      lambda far, value: far().within(own_loopback.segments_of(value)), unit="KiB", own_loopback=True),
}


@dataclass(frozen=True)
class Best:
    """The value with the least median time, the share of the first value's time that it saves, and, where the runtime has
    the choice, what it chose (in most rounds), what that saves, and its time against that of the value that somebody
    would choose by hand: the best one of all other rounds, for the best of the same round owes some of that to noise."""

    value: str
    saved: float
    tuned: str | None = None
    tuned_saved: float | None = None
    against_choice: ratios.Spread | None = None


@dataclass(frozen=True)
class Curve:
    """What a sweep found for a kernel on a graph. Of a way that did not run there is nothing."""

    first_seconds: float  # median
    times: dict           # {way: Spread of time / time with the first value in the same round}
    fetched: dict         # {way: median of bytes fetched / bytes of all edges}
    best: Best
    tlb_misses: dict = dataclasses.field(default_factory=dict)  # {way: median}; empty where they were not counted

    def seconds(self, way):
        """Durations, as if every round had taken as long as the median one: rounds differ in where searches begin."""
        return ratios.Spread(*(self.first_seconds * time for time in self.times[way]))


def curve(sweep, runs, case):
    """`case`: (kernel, graph). None where the first value did not run."""
    mine = {name: [run for run in runs if (run.kernel, run.graph, run.way) == (*case, name)] for name in sweep.way_names()}
    seconds = {name: rounds.seconds_by_round(runs, *case, name) for name, found in mine.items() if found}
    if sweep.first not in seconds:
        return None
    found = {name: ratios.ratios(those, seconds[sweep.first]) for name, those in seconds.items()}
    times = {name: ratios.spread(those) for name, those in found.items() if those}
    return Curve(statistics.median(seconds[sweep.first].values()), times,
                 {name: statistics.median(map(_fetched_share, mine[name])) for name in times},
                 _best(sweep, mine, seconds, times), _tlb_misses(mine, times))


def _fetched_share(run):
    return run.report["bytes_fetched"] / (run.report["edges"] * 4)


def _tlb_misses(mine, names):
    counts = {name: [run.report["tlb_misses"] for run in mine[name] if run.report.get("tlb_misses") is not None]
              for name in names}
    return {name: statistics.median(those) for name, those in counts.items() if those}


def _best(sweep, mine, seconds, times):
    by_hand = [name for name in times if name != TUNED]
    best = min(by_hand, key=lambda name: times[name].median)
    saved = 1 - times[best].median
    against_choice = _against_choice(seconds, by_hand, sweep.first) if TUNED in times else []
    if not against_choice:
        return Best(best, saved)
    chosen = statistics.mode(sweep.tuned(run.report) for run in mine[TUNED])
    return Best(best, saved, sweep.way_name(chosen), 1 - times[TUNED].median,
                ratios.spread(against_choice))


def _against_choice(seconds, by_hand, first):
    """For each round with all values the time of what was tuned against that of the value whose median is the least in all
    other rounds, if there are others."""
    numbers = set.intersection(*(set(seconds[name]) for name in (TUNED, *by_hand)))
    found = []
    for number in sorted(numbers):
        others = numbers - {number} or numbers
        choice = min(by_hand, key=lambda name: statistics.median(seconds[name][n] / seconds[first][n] for n in others))
        found.append(seconds[TUNED][number] / seconds[choice][number])
    return found
