"""Cgroups with a hard limit of memory."""

from harness.host.cgroup import VERSION_2, Cgroup


class MemoryCgroup(Cgroup):
    """Processes in it share their memory, page cache included."""

    def __init__(self, name, *more_controllers):
        super().__init__(name, "memory", *more_controllers)

    def limit(self, memory_bytes, swap):
        """They have so much, and may swap or not."""
        folder = self.folder("memory")
        if VERSION_2:
            (folder / "memory.max").write_text(str(memory_bytes))
            (folder / "memory.swap.max").write_text("max" if swap else "0")
        else:
            (folder / "memory.limit_in_bytes").write_text(str(memory_bytes))
            (folder / "memory.swappiness").write_text("60" if swap else "0")
        return self

    def peak(self):
        """Bytes that were charged to it at most, since it was made."""
        return int((self.folder("memory") / ("memory.peak" if VERSION_2 else "memory.max_usage_in_bytes")).read_text())
