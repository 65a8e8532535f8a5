"""Runs that are planned first, and how far the plan was off."""

import json
import statistics
from dataclasses import asdict, dataclass, field

from harness import programs
from harness.ways import OwnRun

PEAK_TOLERANCE, TIME_TOLERANCE = 0.05, 0.25


@dataclass(frozen=True)
class Outcome:
    """What `fargraph plan` said of a run, and what the run then took."""

    kernel: str
    graph: str
    way: str
    basis: str  # of the planned time
    planned_seconds: float
    seconds: float
    planned_peak: int
    peak: int

    def time_error(self):
        """Relative; above 0 if the plan said too much."""
        return self.planned_seconds / self.seconds - 1

    def peak_error(self):
        return self.planned_peak / self.peak - 1

    def case(self):
        return f"{self.kernel} on {self.graph}, {self.way}"

    def as_dict(self):
        return asdict(self)


@dataclass(frozen=True)
class PlannedRun:
    """A way to run a kernel that asks for the plan right before; its outcomes go to `outcomes`."""

    own: OwnRun
    outcomes: list = field(compare=False)
    caches: str | None = None  # a folder: each run of a case knows only what this way's as many-th runs of others have left
    kind = "own"

    @property
    def name(self):
        return self.own.name

    @property
    def far_ratio(self):
        return self.own.far_ratio

    def run(self, case, source, settings):
        own = self.own.within((*self.own.launcher, *self.cache_of(case)))
        argv = own.argv(case, source, settings)
        plan = json.loads(programs.run([argv[0], "plan", *argv[2:]], (*settings.launcher, *own.launcher))[0])
        seconds, report = own.run(case, source, settings)
        self.outcomes.append(Outcome(case.kernel, case.graph.name, self.name, plan["basis"], plan["seconds"],
                                     statistics.median(seconds), plan["peak_memory_bytes"], report["peak_memory_bytes"]))
        return seconds, report

    def cache_of(self, case):
        """Words before a command."""
        if not self.caches:
            return ()
        earlier = [one for one in self.outcomes if (one.kernel, one.graph, one.way) == (case.kernel, case.graph.name, self.name)]
        return ("env", f"XDG_CACHE_HOME={self.caches}/{len(earlier)} {self.name}")


@dataclass(frozen=True)
class Accuracy:
    """Of some outcomes: how many are within the tolerance, of how many cases the median is, the median of the errors' sizes,
    and the worst."""

    count: int
    within: int
    cases: int
    cases_within: int
    median: float
    worst: float
    worst_case: str


def accuracy(outcomes, error, tolerance):
    """`error`: of an outcome, relative."""
    worst = max(outcomes, key=lambda outcome: abs(error(outcome)))
    sizes = [abs(error(outcome)) for outcome in outcomes]
    medians = [abs(statistics.median(error(outcome) for outcome in those)) for those in by_case(outcomes).values()]
    return Accuracy(len(sizes), sum(size <= tolerance for size in sizes),
                    len(medians), sum(median <= tolerance for median in medians),
                    statistics.median(sizes), error(worst), worst.case())


def by_case(outcomes):
    """{what Outcome.case says: those}"""
    found = {}
    for outcome in outcomes:
        found.setdefault(outcome.case(), []).append(outcome)
    return found
