import os
import pathlib
import time

from harness.host import busy_processors


def children():
    return [int(word) for word in pathlib.Path("/proc/thread-self/children").read_text().split()]


def test_each_processor_has_a_process_meanwhile_that_gives_way_to_all_others():
    expected = [os.SCHED_IDLE] * len(os.sched_getaffinity(0))
    with busy_processors.all_busy():
        end = time.monotonic() + 10
        while (policies := [os.sched_getscheduler(child) for child in children()]) != expected and time.monotonic() < end:
            time.sleep(0.01)
    assert policies == expected
    assert not children()
