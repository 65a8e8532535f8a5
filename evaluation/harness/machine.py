"""What a measurement ran on."""

import mmap
import os
import pathlib
import platform
import re
import time
from dataclasses import dataclass

from harness import programs

QUIET = 0.1  # what daemons may use
PROCESSOR_STATISTICS = pathlib.Path("/proc/stat")
MEMORY_STATISTICS = pathlib.Path("/proc/meminfo")


def _first(pattern, path, default="unknown"):
    try:
        found = re.search(pattern, pathlib.Path(path).read_text(encoding="ascii", errors="replace"), re.MULTILINE)
    except OSError:
        return default
    return found[1] if found else default


def _commit():
    try:
        return programs.run(["git", "-C", programs.REPOSITORY, "describe", "--always", "--dirty"])[0].strip()
    except programs.Failed:  # there is no git, or no repository
        return "unknown"


@dataclass(frozen=True)
class Ticks:
    """What the processors have spent together, since boot or between two moments."""

    idle: int
    stolen: int  # the host of a virtual machine ran something else, such as the devices that it emulates
    all: int

    @staticmethod
    def parse(text):
        """From /proc/stat."""
        ticks = [int(word) for word in text.split("\n", 1)[0].split()[1:9]]
        return Ticks(idle=ticks[3] + ticks[4], stolen=ticks[7], all=sum(ticks))

    @staticmethod
    def now():
        return Ticks.parse(PROCESSOR_STATISTICS.read_text())

    def __sub__(self, earlier):
        return Ticks(self.idle - earlier.idle, self.stolen - earlier.stolen, self.all - earlier.all)

    def busy_share(self):
        """Of programs on this machine."""
        return (self.all - self.idle - self.stolen) / max(1, self.all)

    def stolen_share(self):
        return self.stolen / max(1, self.all)


def busy(seconds=0.1):
    """The share of the processors that is in use for so long; what others use, asked when nothing of ours runs."""
    before = Ticks.now()
    time.sleep(seconds)
    return (Ticks.now() - before).busy_share()


def wait_until_quiet(patience_seconds):
    """Waits no longer than that for others to leave the processors; returns how busy they are then."""
    end = time.monotonic() + patience_seconds
    while (share := busy()) > QUIET and time.monotonic() < end:
        time.sleep(0.5)
    return share


def take_memory(size):
    """Writes to so much memory, or half of what is free, and frees it again: the next process then finds memory that is
    there. The host of a virtual machine may take back what is free in it, and gives it again page by page: on one that
    does, 2 MiB take 4 ms at their first touch, instead of 0.2, in ours and in other programs alike."""
    size = min(size, free_bytes() // 2) // mmap.PAGESIZE * mmap.PAGESIZE
    if size == 0:
        return
    with mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as memory:
        memory.madvise(mmap.MADV_HUGEPAGE)
        zeros = bytes(2 << 20)
        while memory.tell() < size:
            memory.write(zeros[:size - memory.tell()])


def free_bytes():
    """Without what files are cached in."""
    return 1024 * int(_first(r"^MemFree:\s*(\d+)", MEMORY_STATISTICS, "0"))


def describe():
    """The machine as a flat dictionary, for reports."""
    return {
        "cpu": _first(r"^model name\s*: (.*)$", "/proc/cpuinfo"),
        "cores": len(os.sched_getaffinity(0)),
        "memory_mib": int(_first(r"^MemTotal:\s*(\d+)", MEMORY_STATISTICS, "0")) // 1024,
        "kernel": platform.release(),
        "transparent_huge_pages": _first(r"\[(\w+)\]", "/sys/kernel/mm/transparent_hugepage/enabled"),
        "reserved_huge_pages": int(_first(r"^HugePages_Total:\s*(\d+)", MEMORY_STATISTICS, "0")),
        "busy": busy(),
        "openmp_environment": {name: value for name, value in os.environ.items() if name.startswith(("OMP_", "GOMP_"))},
        "commit": _commit(),
    }


def hardware(machine):
    """What stays the same while a machine is up, and what a measurement has set, in one line for people."""
    settings = "".join(f", {name}={value}" for name, value in sorted(machine["openmp_environment"].items())
                       + sorted(machine.get("settings", {}).items()))
    swap = f", swap: {machine['swap']}" if machine.get("swap") else ""
    return (f"{machine['cpu']}, {machine['cores']} cores, {machine['memory_mib'] / 1024:.0f} GiB, "
            f"Linux {machine['kernel']}, transparent huge pages {machine['transparent_huge_pages']}, "
            f"{machine['reserved_huge_pages']} reserved huge pages{settings}{swap}")


def hardware_and_build(machine):
    """What runs have in common that are compared within a round."""
    return f"{hardware(machine)}; commit {machine['commit']}"


def text(machine):
    """One line for people."""
    return f"{hardware(machine)}; {machine['busy']:.0%} busy with other things; commit {machine['commit']}"
