"""Ratios of two ways to run the same, over all cases, and what is required of them."""

from dataclasses import dataclass

from harness import ratios, rounds
from harness.ways import LOCAL, far_name

ROUNDS = 7  # that a requirement is held against, or more


@dataclass(frozen=True)
class Requirement:
    """Bounds on the median ratios; None: no such bound."""

    geometric_mean: float | None = None
    each: float | None = None
    of: tuple[str, ...] = ()       # kernels that it is about; all if empty
    without: tuple[str, ...] = ()  # kernels that it is not about

    def is_about(self, kernel):
        return kernel not in self.without and (not self.of or kernel in self.of)

    def text(self):
        bounds = {"mean": self.geometric_mean, "each": self.each}
        said = ", ".join(f"{name} {bound:g}" for name, bound in bounds.items() if bound is not None)
        return said + "".join(f" (not {kernel})" for kernel in self.without) + f" ({', '.join(self.of)})" * bool(self.of)

    def holds(self, mean, worst):
        return ((self.geometric_mean is None or mean <= self.geometric_mean)
                and (self.each is None or worst <= self.each))


REQUIREMENTS = {
    (LOCAL, "gapbs"): Requirement(geometric_mean=0.85, each=1.1, of=("bfs", "wcc", "pagerank", "sssp", "bc")),
    (LOCAL, "gbbs"): Requirement(each=1.1, of=("kcore", "mis")),
    (far_name("shm", 0.8), LOCAL): Requirement(geometric_mean=1.05, each=1.25),
    (far_name("shm", 0.95), LOCAL): Requirement(geometric_mean=1.15),
    # PageRank is bound by what a loopback connection carries, and is held against that.
    (far_name("tcp", 0.8), LOCAL): Requirement(geometric_mean=1.6, without=("pagerank",)),
}


@dataclass(frozen=True)
class Comparison:
    """The ratio numerator / denominator in every case that has both: {(kernel, graph): Spread}."""

    numerator: str
    denominator: str
    spreads: dict
    counts: dict  # {(kernel, graph): rounds that have both}

    @property
    def name(self):
        return f"{self.numerator} / {self.denominator}"

    @property
    def requirement(self):
        return REQUIREMENTS.get((self.numerator, self.denominator))

    def _medians(self):
        """Of what the requirement is about, or of everything if that is nothing."""
        medians = {case: spread.median for case, spread in self.spreads.items()}
        is_about = self.requirement.is_about if self.requirement else lambda _: True
        return {case: median for case, median in medians.items() if is_about(case[0])} or medians

    @property
    def rounds(self):
        """That each of these cases has at least."""
        return min(self.counts[case] for case in self._medians())

    def geometric_mean(self):
        return ratios.geometric_mean(self._medians().values())

    def worst(self):
        """The largest median, and of which case."""
        medians = self._medians()
        case = max(medians, key=medians.get)
        return medians[case], case

    def verdict(self):
        """Whether the requirement holds; None where it says nothing of what was measured."""
        if not self.requirement or not any(self.requirement.is_about(kernel) for kernel, _ in self.spreads):
            return None
        return self.requirement.holds(self.geometric_mean(), self.worst()[0])


def compare(runs, numerator, denominator):
    """None if no case has both."""
    values = {}
    for kernel, graph in dict.fromkeys((run.kernel, run.graph) for run in runs):
        values[kernel, graph] = ratios.ratios(rounds.seconds_by_round(runs, kernel, graph, numerator),
                                              rounds.seconds_by_round(runs, kernel, graph, denominator))
    spreads = {case: ratios.spread(found) for case, found in values.items() if found}
    if not spreads:
        return None
    return Comparison(numerator, denominator, spreads, {case: len(found) for case, found in values.items()})


def all_comparisons(runs):
    """All-local against each peer, then each far placement against all-local."""
    kinds = {run.way: run.kind for run in runs}
    pairs = [(LOCAL, way) for way in sorted(kinds) if kinds[way] == "peer"]
    pairs += [(way, LOCAL) for way in sorted(kinds) if kinds[way] == "own" and way != LOCAL]
    return [found for found in (compare(runs, *pair) for pair in pairs) if found]
