import os
import pathlib

from harness import busy_processors, machine


def children():
    return [int(word) for word in pathlib.Path("/proc/thread-self/children").read_text().split()]


def test_processors_compute_meanwhile_and_no_longer():
    with busy_processors.all_busy():
        share = machine.busy(seconds=0.5)
        policies = [os.sched_getscheduler(child) for child in children()]
    assert share > 0.9
    assert policies == [os.SCHED_IDLE] * len(os.sched_getaffinity(0))
    assert not children()
