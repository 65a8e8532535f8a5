"""Swap for as long as a measurement needs it: in a file on a local disk, or on a device that an operator names, such as far
memory over NVMe/RDMA. Needs root. The host's swap is as before afterwards, however the program ends."""

import contextlib
import fcntl
import os
import pathlib
import sys

from harness.host import keeper
from harness.programs import Failed, run

FIRST = "32767"  # the highest priority: before all other swap of the host
ACTIVE = pathlib.Path("/proc/swaps")
MODULES = pathlib.Path("/sys/module")
BLOCK_DEVICES = pathlib.Path("/sys/block")
COUNTERS = pathlib.Path("/proc/vmstat")
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
LOCK = pathlib.Path("/run/fargraph-swap.lock")
TURN_OFF = 'swapoff "$1" 2>/dev/null; [ "$2" = keep ] || rm -f "$1"'


def active():
    """{path: priority} of all swap that is on."""
    areas = [line.split() for line in ACTIVE.read_text().splitlines()[1:]]
    return {pathlib.Path(words[0].replace(r"\040", " ")): int(words[-1]) for words in areas}


def fastswap_is_loaded():
    """Whether Fastswap's module takes pages before they get to any disk."""
    return (MODULES / "fastswap").exists()


def fastswap_is_far():
    """Whether they go to another host, and not to Fastswap's stand-in for one, which is local memory."""
    return (MODULES / "fastswap_rdma").exists()


def bytes_in():
    """That this host has read from its swap devices since it began."""
    counters = dict(line.split() for line in COUNTERS.read_text().splitlines())
    return int(counters["pswpin"]) * PAGE_BYTES


@contextlib.contextmanager
def swap_file(folder, size_bytes):
    """Swap in a file that is made in the folder and removed."""
    path = pathlib.Path(folder).resolve() / f"fargraph-swap-{os.getpid()}"
    with _off_afterwards(path, "remove"):
        try:
            with open(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                os.posix_fallocate(file.fileno(), 0, size_bytes)
        except OSError as error:
            raise Failed(f"a swap file of {size_bytes >> 20} MiB cannot be made in {folder}: {error.strerror}") from error
        run(["mkswap", path])
        _turn_on(path)
        yield path


@contextlib.contextmanager
def swap_device(path):
    """Swap on a device that has been prepared with mkswap. One that is on already stays on."""
    path = pathlib.Path(path).resolve()
    if path in active():
        _require_first(path)
        yield path
        return
    with _off_afterwards(path, "keep"):
        _turn_on(path)
        yield path


@contextlib.contextmanager
def _off_afterwards(path, then):
    """`then`: "keep" or "remove" the path."""
    try:
        with _alone() as lock, keeper.undone(TURN_OFF, path, then, pass_fds=[lock.fileno()]):
            yield
    finally:
        if path in active():
            print(f"swap on {path} is still on, for there is too little memory to turn it off; when there is more: "
                  f"swapoff {path}", file=sys.stderr)


@contextlib.contextmanager
def _alone():
    """Waits until no other measurement on this host swaps. The keeper has the lock too, until it is done."""
    try:
        opened = open(LOCK, "w", encoding="ascii")
    except OSError as error:
        raise Failed(f"swap cannot be turned on: {LOCK}: {error.strerror}; run this as root") from error
    with opened as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("waiting for another measurement on this host that swaps", file=sys.stderr)
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield lock


def _turn_on(path):
    try:
        run(["swapon", f"--priority={FIRST}", path])
    except Failed as error:
        raise Failed(f"swap cannot be turned on ({error}); that needs root outside of containers, and a prepared device or "
                     "a file on a local disk, not on tmpfs or overlayfs") from error
    _require_first(path)


def _require_first(path):
    """Pages have to go nowhere else."""
    priorities = active()
    rivals = [str(other) for other in priorities if other != path and priorities[other] >= priorities[path]]
    if rivals:
        raise Failed(f"pages would also be swapped to {', '.join(rivals)}; turn that off with swapoff, or lower its priority")


def medium(device):
    """What a device is, such as "nvme over rdma", for reports."""
    controller = BLOCK_DEVICES / device.name / "device"
    # Where a kernel joins several paths to a device, that is one of several controllers.
    for transport in (controller / "transport", *controller.glob("nvme*/transport")):
        if transport.exists():
            return f"nvme over {transport.read_text().strip()}"
    return "block device"
