"""The memory that a job needs, found by trying."""

import os

from harness import programs
from harness.host.memory_cgroup import MemoryCgroup

GROWTH, MOST_TRIES = 1.15, 10  # of a budget that is too small


def needed(ways, case, source, settings, first_bytes):
    """A cgroup's limit within which each of the ways runs without swap, and a margin, for the tuner may choose larger
    buffers another time. The first that is tried is `first_bytes`."""
    for attempt in range(MOST_TRIES):
        budget = int(first_bytes * GROWTH**attempt)
        refusal = _try(budget, ways, case, source, settings)
        if not refusal:
            return int(budget * GROWTH)
    raise programs.Failed(f"{case} did not even run with {budget >> 20} MiB: {refusal}")


def _try(budget, ways, case, source, settings):
    """Why they do not run within the budget; None if they do."""
    with MemoryCgroup(f"fargraph-try-{os.getpid()}") as group:
        group.limit(budget, swap=False)
        try:
            for way in ways:
                way.within(group.launcher).run(case, source, settings)
        except programs.Failed as error:
            return error
    return None
