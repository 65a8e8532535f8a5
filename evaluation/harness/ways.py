"""The ways to run a kernel on a graph that are compared: ours in one placement or another, and other systems'."""

import json
from dataclasses import dataclass, field

from harness import peers, programs
from harness.graphs import Graph

LOCAL = "local"
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
    launcher: tuple[str, ...] = ()

    def iterations_of(self, kernel):
        """By how much the time is divided."""
        return self.iterations if kernel in PER_ITERATION else 1


@dataclass(frozen=True)
class OwnRun:
    """`fargraph run` with some flags."""

    name: str
    flags: tuple[str, ...] = ()
    far_ratio: float = 0

    def argv(self, case, source, settings):
        iterations = [f"--iterations={settings.iterations}"] if case.kernel in PER_ITERATION else []
        return [programs.FARGRAPH, "run", case.kernel, str(case.graph.path), f"--source={source}", *iterations,
                f"--precision={settings.precision}", f"--trials={settings.trials}", *self.flags,
                "--json=-"]

    def read(self, stdout, _stderr):
        """Seconds of the kernel in each trial, and the whole report."""
        report = json.loads(stdout)
        return report["trial_seconds"], report


@dataclass(frozen=True)
class PeerRun:
    """Another system's command."""

    peer: peers.Peer
    far_ratio: float = field(default=0, init=False)

    @property
    def name(self):
        return self.peer.name

    def argv(self, case, source, settings):
        return self.peer.argv(graph=case.graph.path, kernel=case.kernel, source=source, iterations=settings.iterations,
                              trials=settings.trials)

    def read(self, stdout, stderr):
        return peers.seconds_in(stdout + stderr, self.peer.pattern), {}


def far_name(transport, far_ratio):
    return f"{transport} {far_ratio:g}"


def far_run(memory_nodes_flag, transport, far_ratio, flags=()):
    """A run that leaves its far edges on the memory nodes, where the next run finds them."""
    return OwnRun(far_name(transport, far_ratio),
                  (memory_nodes_flag, f"--transport={transport}", f"--far_ratio={far_ratio:g}", "--keep", *flags),
                  far_ratio)
