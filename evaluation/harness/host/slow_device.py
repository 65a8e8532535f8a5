"""A device that reads no faster than another would, for the processes in a cgroup: how a system fares on that one."""

import os
import pathlib
from dataclasses import dataclass

from harness.host.cgroup import VERSION_2
from harness.programs import Failed

BLOCK_DEVICES = pathlib.Path("/sys/dev/block")


@dataclass(frozen=True)
class SlowDevice:
    bytes_per_second: int
    reads_per_second: int

    @staticmethod
    def parse(text):
        """MB/S,READS/S"""
        try:
            megabytes, reads = (int(word) for word in text.split(","))
        except ValueError:
            megabytes = reads = 0
        if min(megabytes, reads) < 1:
            raise ValueError(f"'{text}' is not two whole numbers from 1 up, such as 1100,80000")
        return SlowDevice(megabytes * 10**6, reads)

    def __str__(self):
        return f"{self.bytes_per_second // 10**6} MB/s and {self.reads_per_second} reads a second"

    def limit(self, group, folder):
        """That is what the processes in a group with the controller io get from the device that the folder is on."""
        device = whole_device(folder)
        if VERSION_2:
            limits = {"io.max": f"{device} rbps={self.bytes_per_second} riops={self.reads_per_second}"}
        else:
            limits = {"blkio.throttle.read_bps_device": f"{device} {self.bytes_per_second}",
                      "blkio.throttle.read_iops_device": f"{device} {self.reads_per_second}"}
        for name, text in limits.items():
            try:
                (group.folder("io") / name).write_text(text)
            except OSError as error:
                raise Failed(f"reads from the device {device} of {folder} cannot be limited: {error.strerror}") from error


def whole_device(folder):
    """MAJOR:MINOR of the device on which the folder is, and not of its partition: only those have limits."""
    number = os.stat(folder).st_dev
    device = BLOCK_DEVICES / f"{os.major(number)}:{os.minor(number)}"
    if not device.exists():
        raise Failed(f"{folder} is on a file system that has not one block device, whose reads could be limited")
    whole = device.resolve().parent if (device / "partition").exists() else device
    return (whole / "dev").read_text().strip()
