"""What each iteration of a run read, and its time: the table that `fargraph run --iteration_log` writes."""

import csv
from dataclasses import dataclass


COMPUTING = 0.2  # an iteration that waits no more than this share of its time is bound by computing


@dataclass(frozen=True)
class Iteration:
    active_vertices: int
    seconds: float
    stall_seconds: float
    requests: int
    bytes_fetched: int
    bytes_useful: int

    def utility(self):
        """The share of what was read that somebody asked for: the IO utility."""
        return self.bytes_useful / self.bytes_fetched if self.bytes_fetched else 1

    def is_computing(self):
        return self.stall_seconds <= COMPUTING * self.seconds


def read(lines):
    """The iterations of the last trial."""
    rows = list(csv.DictReader(lines))
    last = [row for row in rows if row["trial"] == rows[-1]["trial"]]
    return [Iteration(int(row["active_vertices"]), float(row["seconds"]), float(row["stall_seconds"]), int(row["requests"]),
                      int(row["bytes_fetched"]), int(row["bytes_useful"])) for row in last]


def total(iterations):
    """All of them as if they were one."""
    return Iteration(*(sum(getattr(one, field) for one in iterations) for field in Iteration.__dataclass_fields__))


def sparse(iterations, whole_bytes):
    """Those that read something, but less than half of all: a few lists here and there."""
    return [one for one in iterations if 0 < one.bytes_fetched < whole_bytes / 2]
