"""The ways to run a kernel on a graph that are compared: ours in one placement or another, and other systems'."""

import dataclasses
import json
from collections.abc import Callable
from dataclasses import dataclass

from harness import graphs, programs
from harness.graphs import Graph
from harness.host import small_pages, tlb_misses
from harness.yardsticks import peers

LOCAL = "local"
SSD = "ssd"  # in place of a transport
GRAPH = "{graph}"
FROM_A_SOURCE = ("bc", "bfs", "sssp")  # kernels that begin at a vertex that is given; apsp could, but takes a sample
IN_FLOATING_POINT = ("pagerank", "spmv")  # kernels that have a choice of precision
PER_ITERATION = ("pagerank",)  # kernels that do a fixed number of iterations, and whose time is that of one


@dataclass(frozen=True)
class Case:
    """A kernel on a graph."""

    kernel: str
    graph: Graph

    def __str__(self):
        return f"{self.kernel} on {self.graph.name}"


@dataclass(frozen=True)
class Settings:
    """What all ways of a case share, so that like is compared with like."""

    iterations: int
    trials: int  # in one process; their median counts
    precision: str
    patience_seconds: float = 0
    launcher: tuple[str, ...] = ()

    def iterations_of(self, kernel):
        """By how much the time is divided."""
        return self.iterations if kernel in PER_ITERATION else 1


# A way has a name, a far_ratio, a kind, and `run`, which runs it in a process of its own and returns the seconds of each
# trial and what the program reports.


@dataclass(frozen=True)
class OwnRun:
    """`fargraph run`, or what takes its flags, with some flags, in which GRAPH stands for the graph's directory."""

    name: str
    flags: tuple[str, ...] = ()
    far_ratio: float = 0
    launcher: tuple[str, ...] = ()  # of this way alone, behind that of all
    heads: int | None = None  # on the graph that was converted with so many
    counts_tlb_misses: bool = False  # where that is possible; of the whole process, loading included
    command: tuple[str, ...] = (programs.FARGRAPH, "run")
    kind = "own"

    def within(self, launcher):
        """The same behind other words, such as those that enter a cgroup."""
        return dataclasses.replace(self, launcher=tuple(launcher))

    def with_heads(self, count):
        """The same on another conversion of the graph, which evaluation/graphs --heads makes."""
        return dataclasses.replace(self, heads=count)

    def with_tlb_misses(self):
        """The same, and its report says how often loads missed the data TLB."""
        return dataclasses.replace(self, counts_tlb_misses=not tlb_misses.why_not())

    def on_small_pages(self):
        """The same without transparent huge pages."""
        return self.within((*self.launcher, *small_pages.LAUNCHER))

    def run(self, case, source, settings):
        argv, launcher = self.argv(case, source, settings), (*settings.launcher, *self.launcher)
        if not self.counts_tlb_misses:
            report = json.loads(programs.run(argv, launcher)[0])
            return report["trial_seconds"], report
        stdout, misses = tlb_misses.run(argv, launcher)
        report = {**json.loads(stdout), "tlb_misses": misses}
        return report["trial_seconds"], report

    def argv(self, case, source, settings):
        graph = case.graph.path if self.heads is None else graphs.with_heads(case.graph.path, self.heads)
        flags = [flag.replace(GRAPH, str(graph)) for flag in self.flags]
        iterations = [f"--iterations={settings.iterations}"] if case.kernel in PER_ITERATION else []
        begin = [f"--source={source}"] if case.kernel in FROM_A_SOURCE else []
        precision = [f"--precision={settings.precision}"] if case.kernel in IN_FLOATING_POINT else []
        return [*self.command, case.kernel, str(graph), *begin, *iterations, *precision, f"--trials={settings.trials}",
                *flags, "--json=-"]


@dataclass(frozen=True)
class PeerRun:
    """Another system's command, on huge pages as ours."""

    peer: peers.Peer
    values: dict[str, object] = dataclasses.field(default_factory=dict)  # of further placeholders
    far_ratio = 0
    kind = "peer"

    @property
    def name(self):
        return self.peer.name

    def run(self, case, source, settings):
        argv = self.peer.argv(graph=case.graph.path, kernel=case.kernel, source=source,
                              iterations=settings.iterations, trials=settings.trials, **self.values)
        stdout, stderr = programs.run(argv, (*settings.launcher, *programs.ON_HUGE_PAGES))
        return peers.seconds_in(stdout + stderr, self.peer.pattern), {}


@dataclass(frozen=True)
class CopyRun:
    """A plain copy over the link that far edges take; `copy` returns its bytes per second."""

    copy: Callable[[], float]
    name: str = "copy"
    far_ratio = 0
    kind = "copy"

    def run(self, _case, _source, _settings):
        rate = self.copy()
        return [1 / rate], {"bytes_per_second": rate}


def ssd_dirs_flag(directories):
    return f"--ssd_dirs={','.join(map(str, directories))}"


def far_name(transport, far_ratio):
    return f"{transport} {far_ratio:g}"


def far_run(tier_flags, transport, far_ratio, flags=()):
    """A run that leaves its far edges on the memory nodes of `tier_flags`, where the next run finds them, or reads them on
    the SSDs of these."""
    kept = () if transport == SSD else (f"--transport={transport}", "--keep")
    return OwnRun(far_name(transport, far_ratio), (*tier_flags, *kept, f"--far_ratio={far_ratio:g}", *flags), far_ratio)
