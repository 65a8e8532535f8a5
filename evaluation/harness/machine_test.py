import pathlib
import re

import pytest

from harness import machine

MIB = 1 << 20


def peak_bytes(work):
    """By how much this process grows meanwhile."""
    pathlib.Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    before = resident("VmRSS")
    work()
    return resident("VmHWM") - before


def resident(field):
    return 1024 * int(re.search(rf"{field}:\s*(\d+)", pathlib.Path("/proc/self/status").read_text(encoding="ascii"))[1])


@pytest.mark.parametrize("asked, free, taken", [(64, 1024, 64), (1024, 128, 64), (64, 0, 0)])
def test_what_is_asked_for_is_touched_or_half_of_what_is_free(monkeypatch, asked, free, taken):
    monkeypatch.setattr(machine, "free_bytes", lambda: free * MIB)
    before = resident("VmRSS")
    assert abs(peak_bytes(lambda: machine.take_memory(asked * MIB)) - taken * MIB) < 8 * MIB
    assert resident("VmRSS") < before + 8 * MIB, "it is free again"


def test_what_is_free_is_some_of_the_memory():
    assert 0 < machine.free_bytes() <= machine.describe()["memory_mib"] * MIB + MIB
