"""A memory cgroup (version 1) and a hugetlb cgroup beside it, in which a command has no more than a budget."""

import contextlib
import os
import pathlib
import subprocess
import tempfile
import time

import pytest

MEMORY = pathlib.Path("/sys/fs/cgroup/memory")
PATIENCE_SECONDS = 10


@contextlib.contextmanager
def hugetlb_hierarchy():
    """The folder of the hugetlb controller: where the host has it mounted, or a mount of our own."""
    mounted = pathlib.Path("/sys/fs/cgroup/hugetlb")
    if mounted.is_dir():
        yield mounted
        return
    with tempfile.TemporaryDirectory() as folder:
        mount = subprocess.run(["mount", "-t", "cgroup", "-o", "hugetlb", "none", folder], check=False,
                               capture_output=True)
        if mount.returncode != 0:
            pytest.skip("the hugetlb controller cannot be mounted as cgroup version 1")
        try:
            yield pathlib.Path(folder)
        finally:
            subprocess.run(["umount", folder], check=True)


def remove(group):
    """Removes a group once the kernel has noticed that its processes are gone."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return group.rmdir()
        except OSError:
            assert time.monotonic() < deadline, f"{group} stays in use"
            time.sleep(0.05)


class Budget:
    """The two groups of one command."""

    def __init__(self, memory, hugetlb):
        self.memory, self.hugetlb = memory, hugetlb

    def enter(self):
        """For the child process before it becomes the command."""
        for group in (self.memory, self.hugetlb):
            (group / "cgroup.procs").write_text(str(os.getpid()))

    def kills(self):
        """How often the kernel has killed for want of memory."""
        control = dict(line.split() for line in (self.memory / "memory.oom_control").read_text().splitlines())
        return int(control["oom_kill"])

    def huge_pages_peak(self):
        """Bytes of huge pages at their peak."""
        return sum(int(peak.read_text()) for peak in self.hugetlb.glob("hugetlb.*.max_usage_in_bytes")
                   if ".rsvd." not in peak.name)

    def memory_peak(self):
        """Bytes of everything else, page cache included, at its peak."""
        return int((self.memory / "memory.max_usage_in_bytes").read_text())


@contextlib.contextmanager
def budget(limit_bytes):
    """Groups with that limit and no swapping; skips where there is no cgroup version 1, or nobody may make one."""
    if not (MEMORY / "memory.limit_in_bytes").exists():
        pytest.skip("no memory controller of cgroup version 1")
    with contextlib.ExitStack() as stack:
        hierarchies = [MEMORY, stack.enter_context(hugetlb_hierarchy())]
        groups = [hierarchy / f"fargraph-test-{os.getpid()}" for hierarchy in hierarchies]
        for group in groups:
            try:
                group.mkdir()
            except OSError as error:
                pytest.skip(f"a cgroup cannot be made: {error}")
            stack.callback(remove, group)
        (groups[0] / "memory.swappiness").write_text("0")
        (groups[0] / "memory.limit_in_bytes").write_text(str(limit_bytes))
        for limit in groups[1].glob("hugetlb.*.limit_in_bytes"):
            if ".rsvd." not in limit.name:
                limit.write_text(str(limit_bytes))
        yield Budget(*groups)
