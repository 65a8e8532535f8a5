import os
import time

import pytest

from harness import programs
from harness.host import permissions, slow_device
from harness.host.cgroup import Cgroup
from harness.host.slow_device import SlowDevice, whole_device


def test_a_rate_is_parsed():
    assert SlowDevice.parse("1100,80000") == SlowDevice(1_100_000_000, 80_000)
    assert str(SlowDevice.parse("1100,80000")) == "1100 MB/s and 80000 reads a second"
    for text in ["", "1100", "1100,", "1100,0", "-1,5", "1,2,3", "fast,5"]:
        with pytest.raises(ValueError, match="is not two whole numbers"):
            SlowDevice.parse(text)


def test_a_folder_on_no_device_is_refused():
    with pytest.raises(programs.Failed, match="/proc is on a file system that has not one block device"):
        whole_device("/proc")


def test_of_a_partition_the_whole_device_is_limited(tmp_path, monkeypatch):
    number = os.stat(tmp_path).st_dev
    disk, partition, by_number = tmp_path / "sda", tmp_path / "sda/sda1", tmp_path / f"{os.major(number)}:{os.minor(number)}"
    partition.mkdir(parents=True)
    (disk / "dev").write_text("8:0\n")
    (partition / "dev").write_text("8:1\n")
    by_number.symlink_to(partition)
    monkeypatch.setattr(slow_device, "BLOCK_DEVICES", tmp_path)
    assert whole_device(tmp_path) == "8:1"
    (partition / "partition").write_text("1\n")
    assert whole_device(tmp_path) == "8:0"


@pytest.mark.parametrize("limit, pieces", [("8,100000", "1M"), ("1000,128", "64K")], ids=["bytes", "reads"])
def test_processes_in_the_group_read_no_faster(tmp_path, limit, pieces):
    """Four MiB in half a second: eight a second, or 128 reads of 64 KiB."""
    if reason := permissions.why_no_slow_device(tmp_path):
        pytest.skip(reason)
    programs.commands.require_direct_io(tmp_path)
    file = tmp_path / "file"
    file.write_bytes(os.urandom(4 << 20))
    with Cgroup(f"fargraph-slow-{os.getpid()}", "io") as group:
        SlowDevice.parse(limit).limit(group, tmp_path)
        begin = time.monotonic()
        programs.run(["dd", f"if={file}", "of=/dev/null", "iflag=direct", f"bs={pieces}"], group.launcher)
        assert time.monotonic() - begin > 0.3
