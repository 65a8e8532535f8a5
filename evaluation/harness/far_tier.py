"""Where far edges are, for as long as a measurement needs them."""

import contextlib
import ipaddress
import pathlib

from harness import programs, ways
from harness.host import own_loopback
from harness.host.shaped_link import MEMORY_ADDRESS, shaped_link

VERBS = "verbs"
RDMA_DEVICES = pathlib.Path("/sys/class/infiniband")


def rdma_address():
    """The IPv4 address of this host's first RDMA device that has one."""
    for gid in sorted(RDMA_DEVICES.glob("*/ports/*/gids/*")):
        if address := ipaddress.IPv6Address(gid.read_text().strip()).ipv4_mapped:
            return str(address)
    raise programs.Failed("no RDMA device of this host has an IPv4 address (RoCE), which its memory node would be reached "
                          "at over verbs; `fargraph doctor --transport=verbs` says more")


@contextlib.contextmanager
def far_tier_on_own_loopback(segments_kib=64, *, capacity):
    """A memory node that is reached over a loopback device of the measurement's own; gives what far_tier does. The words
    before a command set the size of TCP's segments, and may be followed by others that set it anew."""
    with (own_loopback.own_loopback() as end,
          programs.memory_nodes(1, capacity=capacity, host=f"[{own_loopback.ADDRESS}]", launcher=end) as memory_nodes_flag):
        yield [memory_nodes_flag], (*end, *own_loopback.segments_of(segments_kib))


@contextlib.contextmanager
def far_tier(transport, rate=None, ssd_dirs=(), *, capacity):
    """A memory node on this host, behind a link if that has a rate, or SSDs. Gives the flags that reach it, and the words
    before commands that are to use it."""
    if transport == ways.SSD:
        yield [ways.ssd_dirs_flag(ssd_dirs or [ways.GRAPH])], ()
        return
    if rate:
        with (shaped_link(rate) as link,
              programs.memory_node_at(MEMORY_ADDRESS, "tcp", capacity, link.memory_end) as node_flags):
            yield node_flags, tuple(link.compute_end)
    elif transport == VERBS:
        with programs.memory_node_at(rdma_address(), transport, capacity) as node_flags:
            yield node_flags, ()
    else:
        with programs.memory_nodes(1, capacity=capacity) as memory_nodes_flag:
            yield [memory_nodes_flag], ()
