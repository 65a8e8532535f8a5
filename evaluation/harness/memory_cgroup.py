"""Memory cgroups with hard limits, of version 1 or 2, whichever the host has mounted."""

import pathlib

ROOT = pathlib.Path("/sys/fs/cgroup")
VERSION_2 = (ROOT / "cgroup.controllers").exists()
HIERARCHY = ROOT if VERSION_2 else ROOT / "memory"


class MemoryCgroup:
    """A group for processes started with its launcher. Needs root."""

    def __init__(self, name):
        if VERSION_2:
            (HIERARCHY / "cgroup.subtree_control").write_text("+memory")
        self.path = HIERARCHY / name
        self.path.mkdir(exist_ok=True)

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
        """When none of its processes is left."""
        self.path.rmdir()

    @property
    def launcher(self):
        """Words before a command that make it a member from the start."""
        return ("sh", "-c", 'echo $$ >"$0" && exec "$@"', str(self.path / "cgroup.procs"))
