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

pytestmark = pytest.mark.skipif(not pathlib.Path("/sys/class/infiniband/rxe0").exists(),
                                reason="needs the testbed's RDMA device: tests/testbed/suites/host")


@pytest.fixture(name="modules", autouse=True)
def fixture_modules():
    """Where a host has its kernel's modules; and no RAM disks that are not the role's."""
    folder = pathlib.Path("/lib/modules") / os.uname().release
    if not (folder / "modules.dep").exists():  # there may be the kernel's headers alone
        folder.mkdir(parents=True, exist_ok=True)
        kept = REPOSITORY / "build/testbed/kernel" / folder.relative_to("/")
        subprocess.run(["mount", "--bind", kept, folder], check=True)
    subprocess.run(["rmmod", "brd"], check=False)


def start(script, *arguments):
    return subprocess.run(["sh", SCRIPTS / script, *map(str, arguments)], capture_output=True, text=True, timeout=60,
                          check=False)


def says(script, *arguments):
    """True if it says that it has changed something."""
    done = start(script, *arguments)
    assert done.returncode == 0, done.stderr
    assert done.stdout in ("", "changed\n")
    return done.stdout == "changed\n"


def swaps():
    return [line.split()[0] for line in pathlib.Path("/proc/swaps").read_text().splitlines()[1:]]


def test_a_host_swaps_to_another_and_nothing_is_left_behind():
    for script in ("lend_disk", "swap_far"):
        assert start(script, "lacks").stdout == ""
    for expected in (True, False):
        for number, name in enumerate(["near1", "near2"]):
            assert says("lend_disk", "start", name, HOST, PORT, number, 2, 32) == expected
        assert says("swap_far", "start", "near1", HOST, PORT) == expected
    disk, = swaps()
    assert disk.startswith("/dev/nvme")
    other = start("lend_disk", "start", "near3", HOST, PORT, 0, 2, 64)
    assert other.returncode == 1
    assert other.stderr == ("cannot lend a disk over NVMe/RDMA: /dev/ram0 has 32 MiB, not 64; run rmmod brd when nothing "
                            "uses it\n")
    for expected in (True, False):
        assert says("swap_far", "stop", "near1") == expected
        for name in ["near1", "near2"]:
            assert says("lend_disk", "stop", name, PORT) == expected
    assert swaps() == []
    assert not any(list(folder.iterdir()) for folder in pathlib.Path("/sys/kernel/config/nvmet").iterdir())
