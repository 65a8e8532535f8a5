"""Data-TLB misses of loads, as `perf stat` counts them in a process and its children."""

import functools
import re
import tempfile

from harness import programs

EVENT = "dTLB-load-misses"


def launcher(path):
    """Words before a command whose misses go to a file."""
    return ("perf", "stat", "-x,", "-e", EVENT, "-o", path, "--")


def misses_in(text):
    """The number in what perf writes with -x, (one line for each kind of processor); None where it could not count."""
    counts = re.findall(rf"^([0-9]+),[^,]*,[^,]*{EVENT}", text, re.MULTILINE)
    return sum(map(int, counts)) if counts else None


def run(argv, before=()):
    """Runs a program as programs.run; returns (standard output, its misses)."""
    with tempfile.NamedTemporaryFile("r", prefix="fargraph-perf-") as written:
        stdout, _ = programs.run(argv, (*before, *launcher(written.name)))
        return stdout, misses_in(written.read())


@functools.cache
def why_not():
    """Why they cannot be counted here; empty where they can."""
    try:
        _, misses = run(["true"])
    except programs.Failed as error:
        return str(error)
    return "" if misses is not None else f"this machine's processors do not show {EVENT}, as in most virtual machines"
