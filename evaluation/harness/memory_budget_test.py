import sys
from dataclasses import dataclass

import pytest

from harness import memory_budget, programs
from harness.host import permissions

MIB = 1 << 20


@dataclass(frozen=True)
class Allocation:
    """A way that writes to so much memory."""

    mib: int
    launcher: tuple = ()

    def within(self, launcher):
        return Allocation(self.mib, launcher)

    def run(self, *_):
        programs.run([sys.executable, "-c", f"bytes([1]) * ({self.mib} << 20)"], self.launcher)


@pytest.fixture(autouse=True)
def permitted():
    if reason := permissions.why_no_memory_cgroup():
        pytest.skip(reason)


def test_the_budget_grows_until_the_hungriest_runs():
    least = memory_budget.needed([Allocation(8)], "a", 0, None, 40 * MIB)
    most = memory_budget.needed([Allocation(8), Allocation(64)], "a", 0, None, 40 * MIB)
    assert least == int(40 * MIB * memory_budget.GROWTH)
    assert 64 * MIB < most < 160 * MIB


def test_what_never_runs_is_given_up():
    with pytest.raises(programs.Failed, match="did not even run with 3 MiB"):
        memory_budget.needed([Allocation(64)], "a", 0, None, MIB)
