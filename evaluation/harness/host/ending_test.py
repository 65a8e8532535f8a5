"""A command that a signal ends leaves nothing behind on its host."""

import contextlib
import json
import pathlib
import signal
import subprocess
import sys
import time

import pytest

from harness.host import permissions

PATIENCE_SECONDS = 60
MEASURE_AND_WAIT = """
import json, os
from harness import programs
from harness.host import memory_cgroup, shaped_link

def main():
    with (shaped_link.shaped_link("1gbit") as link,
          programs.memory_node_at(shaped_link.MEMORY_ADDRESS, "tcp", "16MiB", link.memory_end) as (_, token_flag),
          memory_cgroup.MemoryCgroup(f"fargraph-ending-{os.getpid()}") as group):
        token = token_flag.partition("=")[2]
        print(json.dumps({"namespaces": link.namespaces, "paths": [str(group.folder("memory")), token]}), flush=True)
        programs.run(["sleep", "600"], (*group.launcher, *link.compute_end))

programs.run_main("test", main)
"""


@pytest.fixture(scope="module", autouse=True)
def permitted():
    if reason := permissions.why_no_memory_cgroup() or permissions.why_no_shaped_link():
        pytest.skip(reason)


@contextlib.contextmanager
def measurement(*launcher):
    """A program with a link, a memory node, a cgroup and a job in it, and what it made."""
    with subprocess.Popen([*launcher, sys.executable, "-c", MEASURE_AND_WAIT], stdout=subprocess.PIPE, text=True,
                          cwd=pathlib.Path(__file__).parents[2]) as program:
        try:
            made = json.loads(program.stdout.readline())
            wait_until(lambda: "sleep" in names_in(pathlib.Path(made["paths"][0])))
            made["processes"] = [process for name in made["namespaces"] for process in ip_netns("pids", name).split()]
            assert len(made["processes"]) == 2
            yield program, made
        finally:
            program.terminate()


def wait_until(condition):
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def ip_netns(*words):
    return subprocess.run(["ip", "netns", *words], capture_output=True, text=True, check=True).stdout


def names_in(group):
    return [pathlib.Path(f"/proc/{process}/comm").read_text().strip() for process in (group / "cgroup.procs").read_text().split()]


def runs(process):
    """One that has ended and that nobody has waited for does not."""
    try:
        return pathlib.Path(f"/proc/{process}/cmdline").read_bytes() != b""
    except OSError:
        return False


def left_behind(made):
    return ([name for name in made["namespaces"] if name in ip_netns("list")]
            + [path for path in made["paths"] if pathlib.Path(path).exists()]
            + [process for process in made["processes"] if runs(process)])


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_ends_a_command_and_what_it_started(number):
    with measurement() as (program, made):
        program.send_signal(number)
        program.send_signal(number)  # somebody is impatient
        assert program.wait(PATIENCE_SECONDS) == 128 + number
    assert left_behind(made) == []


def test_a_killed_command_leaves_nothing_either():
    with measurement() as (program, made):
        program.kill()
    pathlib.Path(made["paths"].pop()).unlink()  # but the token, which nobody asks for
    wait_until(lambda: left_behind(made) == [])


def test_nohup_keeps_a_command_from_hanging_up():
    with measurement("nohup") as (program, made):
        program.send_signal(signal.SIGHUP)
        program.send_signal(signal.SIGTERM)
        assert program.wait(PATIENCE_SECONDS) == 128 + signal.SIGTERM
    assert left_behind(made) == []
