"""The huge pages of 2 MiB that this host has."""

import contextlib
import fcntl
import pathlib
import tempfile

import pytest

RESERVED = pathlib.Path("/proc/sys/vm/nr_hugepages")
FREE = pathlib.Path("/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages")


def free_huge_pages():
    return int(FREE.read_text()) if FREE.exists() else 0


@contextlib.contextmanager
def reserved_huge_pages(count):
    """Reserves so many huge pages of 2 MiB more, or skips the test."""
    with open(pathlib.Path(tempfile.gettempdir()) / "fargraph-test-huge-pages", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # the setting is the host's
        before = int(RESERVED.read_text())
        try:
            RESERVED.write_text(str(before + count))
        except OSError as error:
            pytest.skip(f"huge pages cannot be reserved: {error}")
        try:
            if int(RESERVED.read_text()) < before + count:
                pytest.skip("this host has no room for huge pages")
            yield
        finally:
            RESERVED.write_text(str(before))
