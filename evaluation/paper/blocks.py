"""A block is a case whose ways are compared: they are prepared together, and each round runs all of them, one behind the
other. Preparing takes memory nodes, cgroups and swap, which are gone after the block.

A job runs its kernel once. Where a block `repeats`, it does so several times and the median counts, for it is about what a job
does while it runs; of a job in too little memory the first time counts, for much of what it loaded was swapped out
meanwhile, and a second time finds it where the first one brought it."""

import contextlib
import dataclasses
from dataclasses import dataclass
from types import SimpleNamespace

from harness import baselines, programs, ways
from harness.far_tier import far_tier
from harness.sweeps import Sweep
from harness.ways import Case

from paper.bench import FAR_RATIO


@dataclass(frozen=True)
class BaselinesBlock:
    """Baselines with a share of the edges far, all but the oracle with the same memory. Ways are named NAME, or "NAME RATIO"
    where the ratio is what is swept."""

    experiment: str
    case: Case
    far_ratio: float
    names: tuple[str, ...]
    sweeps: bool = False
    repeats = False

    @property
    def settings(self):
        return {"far_ratio": self.far_ratio}

    @property
    def way_names(self):
        return [self.way_name(name) for name in self.names]

    def way_name(self, name):
        return f"{name} {self.far_ratio:g}" if self.sweeps else name

    @contextlib.contextmanager
    def opened(self, bench, limit_bytes):
        """Gives the ways and the limit of their memory, which is found where none is given."""
        place = SimpleNamespace(graphs=[self.case.graph], swap_folder=bench.swap_folder, swap_device=bench.swap_device)
        with (contextlib.ExitStack() as stack,
              far_tier(bench.transport, capacity=_capacity(self.case.graph, baselines.UPLOADS)) as (tier_flags, _)):
            refused = self._turn_on_swap(place, stack)
            names = [name for name in self.names if name not in refused]
            placement = baselines.Placement(self.far_ratio, bench.transport, tuple(tier_flags))
            prepared = baselines.prepare(self.case, names, placement, bench.sources(self.case.graph)[0],
                                         bench.settings(self), stack, limit_bytes)
            yield ([dataclasses.replace(way, name=self.way_name(way.name)) for way in prepared.ways]
                   + [RefusedRun(self.way_name(name), why) for name, why in refused.items()]), prepared.limit_bytes

    def _turn_on_swap(self, place, stack):
        """Where that is not allowed, as in containers, returns {name: why} of what needs it."""
        try:
            stack.enter_context(baselines.swap_for(self.names, place))
            return {}
        except programs.Failed as error:
            return {name: str(error) for name in self.names if name in baselines.SWAPPING}


@dataclass(frozen=True)
class RefusedRun:
    """A way that cannot run here."""

    name: str
    why: str
    far_ratio = 0
    kind = "own"

    def run(self, _case, _source, _settings):
        raise programs.Failed(self.why)


@dataclass(frozen=True)
class SweepBlock:
    """One thing over a range of values, most edges far."""

    experiment: str
    case: Case
    sweep: Sweep
    rate: str | None = None  # of the link
    repeats = True

    @property
    def settings(self):
        return {"far_ratio": FAR_RATIO, "rate": self.rate}

    @property
    def way_names(self):
        return self.sweep.way_names()

    @contextlib.contextmanager
    def opened(self, bench, _limit_bytes):
        # Chunks of other sizes are other uploads.
        capacity = _capacity(self.case.graph, len(self.way_names))
        with far_tier(bench.transport, self.rate, capacity=capacity) as (tier_flags, launcher):
            arguments = SimpleNamespace(transport="tcp" if self.rate else bench.transport, far_ratio=FAR_RATIO, ssd_dirs=[],
                                        flags=[])
            yield [way.within(launcher) for way in self.sweep.ways(tier_flags, arguments)], None


@dataclass(frozen=True)
class PlacementsBlock:
    """Without limit, with shares of the edges far. Ways are named LOCAL, for a share of 0, and "far RATIO"."""

    experiment: str
    case: Case
    far_ratios: tuple[float, ...]
    settings = {}
    repeats = False

    @property
    def way_names(self):
        return [far_name(far_ratio) for far_ratio in self.far_ratios]

    @contextlib.contextmanager
    def opened(self, bench, _limit_bytes):
        with far_tier(bench.transport, capacity=_capacity(self.case.graph, 2)) as (tier_flags, _):
            yield [self._run(bench, tier_flags, far_ratio) for far_ratio in self.far_ratios], None

    @staticmethod
    def _run(bench, tier_flags, far_ratio):
        made = ways.far_run(tier_flags, bench.transport, far_ratio) if far_ratio else ways.OwnRun(ways.LOCAL)
        return dataclasses.replace(made, name=far_name(far_ratio))


def far_name(far_ratio):
    return f"far {far_ratio:g}" if far_ratio else ways.LOCAL


def _capacity(graph, uploads):
    """Room on a memory node for the edges, so many times, each time cut in another way."""
    edge_bytes = sum(file.stat().st_size for file in graph.path.glob("*.edges"))
    return f"{64 + uploads * edge_bytes * 5 // 4 // 2**20}MiB"
