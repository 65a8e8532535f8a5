"""Memory cgroups with hard limits, of version 1 or 2, whichever the host has mounted."""

import pathlib
import time

from harness.programs import Failed

ROOT = pathlib.Path("/sys/fs/cgroup")
VERSION_2 = (ROOT / "cgroup.controllers").exists()
HIERARCHY = ROOT if VERSION_2 else ROOT / "memory"
PATIENCE_SECONDS = 10


class MemoryCgroup:
    """A group for processes started with its launcher. Needs root."""

    def __init__(self, name):
        self.path = HIERARCHY / name
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

    def remove(self):
        """When none of its processes is left, which the kernel notices after a moment."""
        end = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                return self.path.rmdir()
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.remove()

    @property
    def launcher(self):
        """Words before a command that make it a member from the start."""
        return ("sh", "-c", 'echo $$ >"$0" && exec "$@"', str(self.path / "cgroup.procs"))
