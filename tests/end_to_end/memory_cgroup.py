"""A memory cgroup and a hugetlb cgroup beside it, of version 1 or 2, in which a command has no more than a budget."""

import contextlib
import fcntl
import os
import pathlib
import subprocess
import tempfile
import time

import pytest

ROOT = pathlib.Path("/sys/fs/cgroup")
VERSION_2 = (ROOT / "cgroup.controllers").exists()
MEMORY = ROOT / "memory"
PATIENCE_SECONDS = 10


@contextlib.contextmanager
def hugetlb_hierarchy():
    """The folder of the hugetlb controller of version 1: where the host has it mounted, or a mount of our own."""
    mounted = ROOT / "hugetlb"
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


@contextlib.contextmanager
def controllers_of_groups(*controllers):
    """Has the groups of version 2 those controllers, as long as they are needed."""
    control = ROOT / "cgroup.subtree_control"
    with open(pathlib.Path(tempfile.gettempdir()) / "fargraph-test-controllers", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # the setting is that of all groups
        missing = [controller for controller in controllers if controller not in control.read_text().split()]
        try:
            control.write_text(" ".join(f"+{controller}" for controller in missing))
        except OSError as error:
            pytest.skip(f"groups cannot have the controllers {', '.join(missing)}: {error}")
        try:
            yield
        finally:
            control.write_text(" ".join(f"-{controller}" for controller in missing))


@contextlib.contextmanager
def hierarchies():
    """Where a memory group and a hugetlb group can be made, which may be the same; skips where nobody may make one."""
    if VERSION_2:
        with controllers_of_groups("memory", "hugetlb"):
            yield [ROOT]
    elif (MEMORY / "memory.limit_in_bytes").exists():
        with hugetlb_hierarchy() as hugetlb:
            yield [MEMORY, hugetlb]
    else:
        pytest.skip("no memory controller of cgroups")


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
    """The groups of one command, in version 2 a single one."""

    def __init__(self, *groups):
        self.groups = groups
        self.memory, self.hugetlb = groups[0], groups[-1]

    def limit(self, limit_bytes):
        """To so much, without swap; of huge pages as well."""
        memory_limits = {"memory.max": limit_bytes, "memory.swap.max": 0} if VERSION_2 else \
            {"memory.limit_in_bytes": limit_bytes, "memory.swappiness": 0}
        for name, value in memory_limits.items():
            if name != "memory.swap.max" or (self.memory / name).exists():  # there is none in a kernel without swap
                (self.memory / name).write_text(str(value))
        for limit in self.hugetlb.glob("hugetlb.*.max" if VERSION_2 else "hugetlb.*.limit_in_bytes"):
            if ".rsvd." not in limit.name:
                limit.write_text(str(limit_bytes))

    def enter(self):
        """For the child process before it becomes the command."""
        for group in self.groups:
            (group / "cgroup.procs").write_text(str(os.getpid()))

    def kills(self):
        """How often the kernel has killed for want of memory."""
        events = self.memory / ("memory.events" if VERSION_2 else "memory.oom_control")
        return int(dict(line.split() for line in events.read_text().splitlines())["oom_kill"])

    def huge_pages_peak(self):
        """Bytes of huge pages at their peak; 0 in version 2, which does not tell."""
        return sum(int(peak.read_text()) for peak in self.hugetlb.glob("hugetlb.*.max_usage_in_bytes")
                   if ".rsvd." not in peak.name)


@contextlib.contextmanager
def budget(limit_bytes):
    """Groups with that limit and no swapping; skips where none can be made."""
    with contextlib.ExitStack() as stack:
        groups = [hierarchy / f"fargraph-test-{os.getpid()}" for hierarchy in stack.enter_context(hierarchies())]
        for group in groups:
            try:
                group.mkdir()
            except OSError as error:
                pytest.skip(f"a cgroup cannot be made: {error}")
            stack.callback(remove, group)
        made = Budget(*groups)
        made.limit(limit_bytes)
        yield made
