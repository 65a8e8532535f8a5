"""--threads: by default no more than the process has processors, and time on them; and what each of them takes."""

import contextlib
import json
import os
import pathlib
import resource
import time

import pytest

ROOT = pathlib.Path("/sys/fs/cgroup")
VERSION_2 = (ROOT / "cgroup.controllers").exists()
PERIOD_US = 100000


def limit_time(group, quota_us):
    if VERSION_2:
        (group / "cpu.max").write_text(f"{quota_us} {PERIOD_US}")
    else:
        (group / "cpu.cfs_period_us").write_text(str(PERIOD_US))
        (group / "cpu.cfs_quota_us").write_text(str(quota_us))


def remove(group):
    time.sleep(0.1)  # until the kernel has noticed that its processes are gone
    group.rmdir()


@contextlib.contextmanager
def processors_in_quota(processors):
    """A function for the child process, before it becomes a command that has so much time; skips where nobody may give less."""
    group = (ROOT if VERSION_2 else ROOT / "cpu") / f"fargraph-test-{os.getpid()}"
    with contextlib.ExitStack() as stack:
        try:
            group.mkdir()
            stack.callback(remove, group)
            limit_time(group, int(processors * PERIOD_US))
        except OSError as error:
            pytest.skip(f"no cgroup with a limit on the processors' time can be made: {error}")
        yield lambda: (group / "cgroup.procs").write_text(str(os.getpid()))


def anonymous_sizes(process):
    """In KiB, of what it may write to."""
    for line in pathlib.Path(f"/proc/{process.pid}/maps").read_text().splitlines():
        addresses, permissions, _, _, _, *path = line.split()
        if permissions == "rw-p" and not path:
            begin, end = (int(address, 16) for address in addresses.split("-"))
            yield (end - begin) >> 10


def threads(fargraph, graph, *flags, **options):
    done = fargraph("plan", "bfs", graph, "--json=-", *flags, **options)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["threads"]


@pytest.mark.skipif(os.cpu_count() < 2, reason="there is one processor anyway")
@pytest.mark.parametrize("processors, expected", [(0.5, 1), (1, 1), (1.1, 2), (2, 2)])
def test_no_more_than_there_is_time_for(fargraph, graph, processors, expected):
    with processors_in_quota(processors) as enter:
        assert threads(fargraph, graph, preexec_fn=enter) == expected


def test_the_user_may_want_more(fargraph, graph):
    with processors_in_quota(1) as enter:
        assert threads(fargraph, graph, "--threads=3", preexec_fn=enter) == 3
        assert threads(fargraph, graph, preexec_fn=enter, env={**fargraph.environment, "OMP_NUM_THREADS": "4"}) == 4


def test_no_stack_has_room_for_a_huge_page(fargraph, graph):
    """With glibc's usual stacks of 8 MiB, and on a small graph, of which nothing is so large."""
    stack_kib = resource.getrlimit(resource.RLIMIT_STACK)[0] >> 10
    if not 2 << 10 <= stack_kib < 64 << 10:
        pytest.skip("stacks are of another size here")
    process = fargraph.start("run", "pagerank", graph, "--threads=3", "--iterations=100000000")
    deadline = time.monotonic() + 20
    while len(os.listdir(f"/proc/{process.pid}/task")) < 3:
        assert time.monotonic() < deadline, "there are no threads"
        time.sleep(0.05)
    sizes = list(anonymous_sizes(process))
    assert process.poll() is None
    assert sum(1024 <= size < 2048 for size in sizes) >= 2
    assert not [size for size in sizes if stack_kib - 64 <= size <= stack_kib]
