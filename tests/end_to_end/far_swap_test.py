"""Swap on another host's memory, as the role baselines of deploy/ansible makes it and takes it away again; both hosts are
the testbed's machine."""

import os
import pathlib
import subprocess

import pytest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
SCRIPTS = REPOSITORY / "deploy/ansible/roles/baselines/files"
HOST = os.environ.get("FARGRAPH_TEST_HOST", "127.0.0.1")
PORT = "4420"
NAMES = ["near1", "near2"]

pytestmark = pytest.mark.skipif(not pathlib.Path("/sys/class/infiniband/rxe0").exists(),
                                reason="needs the testbed's RDMA device: tests/testbed/suites/end_to_end")


@pytest.fixture(name="modules", autouse=True)
def fixture_modules():
    """Where a host has its kernel's modules; and no RAM disks that are not the role's."""
    folder = pathlib.Path("/lib/modules") / os.uname().release
    if not folder.exists():
        folder.parent.mkdir(exist_ok=True)
        folder.symlink_to(REPOSITORY / "build/testbed/kernel" / folder.relative_to("/"))
    subprocess.run(["rmmod", "brd"], check=False)


def says(script, *arguments):
    """True if it says that it has changed something."""
    done = subprocess.run(["sh", SCRIPTS / script, *map(str, arguments)], capture_output=True, text=True, timeout=60,
                          check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout in ("", "changed\n")
    return done.stdout == "changed\n"


def swaps():
    return [line.split()[0] for line in pathlib.Path("/proc/swaps").read_text().splitlines()[1:]]


def test_two_hosts_swap_to_a_third_and_leave_nothing_behind():
    for script in ("lend_disk", "swap_far"):
        assert subprocess.run(["sh", SCRIPTS / script, "lacks"], capture_output=True, text=True, check=True).stdout == ""
    for expected in (True, False):
        for number, name in enumerate(NAMES):
            assert says("lend_disk", "start", name, HOST, PORT, number, len(NAMES), 32) == expected
            assert says("swap_far", "start", name, HOST, PORT) == expected
    assert len(swaps()) == 2 and all(disk.startswith("/dev/nvme") for disk in swaps())
    for expected in (True, False):
        for name in NAMES:
            assert says("swap_far", "stop", name) == expected
            assert says("lend_disk", "stop", name, PORT) == expected
    assert swaps() == []
    assert not any(list(folder.iterdir()) for folder in pathlib.Path("/sys/kernel/config/nvmet").iterdir())


def test_a_disk_of_another_size_is_told():
    says("lend_disk", "start", NAMES[0], HOST, PORT, 0, 1, 32)
    done = subprocess.run(["sh", SCRIPTS / "lend_disk", "start", NAMES[1], HOST, PORT, "0", "1", "64"], capture_output=True,
                          text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == ("cannot lend a disk over NVMe/RDMA: /dev/ram0 has 32 MiB, not 64; run rmmod brd when nothing "
                           "uses it\n")
    says("lend_disk", "stop", NAMES[0], PORT)
