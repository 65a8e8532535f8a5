"""Processors that never idle: what a device gives while they compute. The host of a virtual machine may emulate the device
on the same processors, and then gives less."""

import contextlib
import os
import subprocess

from harness import programs

COMPUTING_WHEN_IDLE = [*programs.NOT_LEFT_BEHIND, "chrt", "--idle", "0", "sh", "-c", "while :; do :; done"]


@contextlib.contextmanager
def all_busy():
    """Meanwhile each processor computes whenever nobody else wants it."""
    with contextlib.ExitStack() as stack:
        for _ in os.sched_getaffinity(0):
            process = stack.enter_context(subprocess.Popen(COMPUTING_WHEN_IDLE))
            stack.callback(process.kill)
        yield
