"""What this host permits, for tests, which skip where it does not."""

import os
import tempfile

from harness.host import swap
from harness.host.cgroup import Cgroup
from harness.host.memory_cgroup import MemoryCgroup
from harness.host.own_loopback import own_loopback, segments_of
from harness.host.shaped_link import shaped_link
from harness.host.slow_device import SlowDevice
from harness.programs import Failed, run

SMALL_SWAP_BYTES = 1 << 20


def why_no_memory_cgroup():
    """One sentence; empty where one can be made."""
    try:
        with MemoryCgroup(f"fargraph-permitted-{os.getpid()}") as group:
            group.limit(SMALL_SWAP_BYTES, swap=False)
    except (Failed, OSError) as error:
        return str(error)
    return ""


def why_no_slow_device(folder):
    """The same of limits on reads from the device that the folder is on."""
    try:
        with Cgroup(f"fargraph-permitted-{os.getpid()}", "io") as group:
            SlowDevice.parse("1,1").limit(group, folder)
    except Failed as error:
        return str(error)
    return ""


def why_no_shaped_link():
    """The same of a link between network namespaces."""
    try:
        with shaped_link("1gbit"):
            return ""
    except Failed as error:
        return str(error)


def why_no_own_loopback():
    """The same of a loopback device with large segments."""
    try:
        with own_loopback() as end:
            run(["true"], (*end, *segments_of(512)))
            return ""
    except Failed as error:
        return str(error)


def why_no_swap_file():
    """The same of swap in the folder for temporary files."""
    try:
        with swap.swap_file(tempfile.gettempdir(), SMALL_SWAP_BYTES):
            return ""
    except Failed as error:
        return str(error)
