"""Memory cgroups (version 2) with hard limits, as the testbed has them."""

import pathlib

ROOT = pathlib.Path("/sys/fs/cgroup")


class MemoryCgroup:
    """A group for processes started with its launcher. Needs root."""

    def __init__(self, name):
        (ROOT / "cgroup.subtree_control").write_text("+memory")
        self.path = ROOT / name
        self.path.mkdir(exist_ok=True)

    def limit(self, memory_bytes, swap):
        (self.path / "memory.max").write_text(str(memory_bytes))
        (self.path / "memory.swap.max").write_text("max" if swap else "0")
        return self

    def peak(self):
        """Bytes that were charged to it at most, since it was made."""
        return int((self.path / "memory.peak").read_text())

    @property
    def launcher(self):
        """Words before a command that make it a member from the start."""
        return ("sh", "-c", 'echo $$ >"$0" && exec "$@"', str(self.path / "cgroup.procs"))
