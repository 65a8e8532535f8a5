"""Swap on another host's memory over NVMe/RDMA, all with the stock kernel: what a program gets that was not written for
far memory. Here the other host is this one, and its memory a RAM disk. Needs root and a machine to throw away."""

import pathlib
import time

from harness.programs import REPOSITORY, Failed, run

PORT, NAME = "4420", "swap"
TARGET = pathlib.Path("/sys/kernel/config/nvmet")
MODULES = REPOSITORY / "build/testbed/kernel"
DEVICE = pathlib.Path("/dev/nvme0n1")
PATIENCE_SECONDS = 20


def _set(folder, **attributes):
    for name, value in attributes.items():
        (folder / name).write_text(str(value))


def make_ram_disk(size_bytes):
    run(["rmmod", "brd"])
    run(["modprobe", "-d", MODULES, "brd", "rd_nr=1", f"rd_size={size_bytes // 1024}"])
    return "/dev/ram0"


def serve(disk, address):
    """Makes the disk an NVMe namespace that any host may use over RDMA."""
    subsystem, port = TARGET / "subsystems" / NAME, TARGET / "ports/1"
    namespace = subsystem / "namespaces/1"
    namespace.mkdir(parents=True)
    _set(subsystem, attr_allow_any_host=1)
    _set(namespace, device_path=disk, enable=1)
    port.mkdir()
    _set(port, addr_traddr=address, addr_trtype="rdma", addr_trsvcid=PORT, addr_adrfam="ipv4")
    (port / "subsystems" / NAME).symlink_to(subsystem)


def connect(address):
    _set(pathlib.Path("/dev"), **{"nvme-fabrics": f"transport=rdma,traddr={address},trsvcid={PORT},nqn={NAME}"})
    end = time.monotonic() + PATIENCE_SECONDS
    while not DEVICE.exists():
        if time.monotonic() > end:
            raise Failed(f"{DEVICE} did not appear; see what the kernel says of nvme")
        time.sleep(0.1)


def prepare(size_bytes, address):
    """Makes DEVICE, for swapon."""
    serve(make_ram_disk(size_bytes), address)
    connect(address)
    run(["mkswap", DEVICE])


def swap_on(size_bytes, address):
    prepare(size_bytes, address)
    run(["swapon", DEVICE])
