"""Memory cgroups with hard limits, of version 1 or 2, whichever the host has mounted."""

import contextlib
import pathlib
import sys

from harness import keeper
from harness.programs import Failed

ROOT = pathlib.Path("/sys/fs/cgroup")
VERSION_2 = (ROOT / "cgroup.controllers").exists()
HIERARCHY = ROOT if VERSION_2 else ROOT / "memory"
# The kernel notices after a moment that the last process has ended.
REMOVE = """exec 2>/dev/null
for attempt in $(seq 200); do
  rmdir "$1" && break
  kill -KILL $(cat "$1/cgroup.procs") || sleep 0.05
done"""


class MemoryCgroup:
    """A group for processes started with its launcher. Needs root. As a context manager it is removed afterwards, with what
    still runs in it."""

    def __init__(self, name):
        self.path = HIERARCHY / name
        self._removal = contextlib.ExitStack()
        try:
            if VERSION_2:
                (HIERARCHY / "cgroup.subtree_control").write_text("+memory")
            self.path.mkdir(exist_ok=True)
        except OSError as error:
            raise Failed(f"the memory cgroup {self.path} cannot be made: {error.strerror}; run this as root, where "
                         "memory cgroups may be made") from error

    def limit(self, memory_bytes, swap):
        """Processes share so much memory, page cache included, and may swap or not."""
        if VERSION_2:
            (self.path / "memory.max").write_text(str(memory_bytes))
            (self.path / "memory.swap.max").write_text("max" if swap else "0")
        else:
            (self.path / "memory.limit_in_bytes").write_text(str(memory_bytes))
            (self.path / "memory.swappiness").write_text("60" if swap else "0")
        return self

    def peak(self):
        """Bytes that were charged to it at most, since it was made."""
        return int((self.path / ("memory.peak" if VERSION_2 else "memory.max_usage_in_bytes")).read_text())

    def __enter__(self):
        self._removal.enter_context(keeper.undone(REMOVE, self.path))
        return self

    def __exit__(self, *_):
        self._removal.close()
        if self.path.exists():
            print(f"the memory cgroup {self.path} has a process that does not end; when it has: rmdir {self.path}", file=sys.stderr)

    @property
    def launcher(self):
        """Words before a command that make it a member from the start."""
        return ("sh", "-c", 'echo $$ >"$0" && exec "$@"', str(self.path / "cgroup.procs"))
