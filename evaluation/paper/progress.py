"""Says what was done, and how long the rest will take."""

import statistics
import sys


class Progress:
    """Of steps, each (way, kernel, graph) and as large as its graph has edges. A step that waits takes as long as the steps
    most like it took, by edge: those of the same kernel and way, of the same way, or all."""

    def __init__(self, edges, stream=sys.stderr):
        self.edges = edges    # {graph: edges}
        self.stream = stream
        self.took = []        # (step, seconds per edge)

    def learn(self, step, seconds):
        self.took.append((step, seconds / max(1, self.edges[step[2]])))

    def seconds_left(self, waiting):
        """None while nothing is known."""
        return sum(self._seconds(step) for step in waiting) if self.took else None

    def _seconds(self, step):
        alike = ([rate for (way, kernel, _), rate in self.took if (way, kernel) == step[:2]]
                 or [rate for (way, _, _), rate in self.took if way == step[0]]
                 or [rate for _, rate in self.took])
        return statistics.mean(alike) * self.edges[step[2]]

    def say(self, text, done, total, waiting):
        left = self.seconds_left(waiting)
        estimate = f"; about {clock(left)} left" if left is not None else ""
        print(f"{done}/{total}  {text}{estimate}", file=self.stream, flush=True)


def clock(seconds):
    """Such as 1:02:03."""
    minutes, seconds = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
