import os
import subprocess

from harness import busy_processors, machine


def children():
    listed = subprocess.run(["ps", "--ppid", str(os.getpid()), "-o", "cls=,comm="], capture_output=True, text=True, check=False)
    return [tuple(line.split()) for line in listed.stdout.splitlines() if "ps" not in line.split()]


def test_processors_compute_meanwhile_and_no_longer():
    with busy_processors.all_busy():
        share = machine.busy(seconds=0.5)
        assert children() == [("IDL", "sh")] * len(os.sched_getaffinity(0))
    assert share > 0.9
    assert not children()
