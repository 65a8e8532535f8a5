"""A loopback device of a measurement's own, over which TCP can send more at a time than over the host's."""

import contextlib
import os
import pathlib

from harness.host import namespaces
from harness.programs import Failed, run

ADDRESS = "::1"  # Debian's `ip` sets the segments of IPv6 alone
IPV6 = pathlib.Path("/proc/net/if_inet6")
MOST_BYTES = 8 * 65535  # as large as any kernel has them
SET_SEGMENTS = 'ip link set dev lo gso_max_size "$0" gro_max_size "$0" && exec "$@"'


@contextlib.contextmanager
def own_loopback():
    """Gives the words that put a command where only this device is."""
    if not IPV6.exists():
        raise Failed("this kernel has no IPv6, of which the loopback device would be")
    namespace = f"fargraph-loopback-{os.getpid()}"
    with namespaces.made(namespace):
        end = namespaces.inside(namespace)
        run([*end, "ip", "link", "set", "lo", "up"])
        yield end


def segments_of(kib):
    """The words that have a command run with segments of at most so many KiB, to be put behind those of own_loopback."""
    return ("sh", "-c", SET_SEGMENTS, str(min(kib << 10, MOST_BYTES)))
