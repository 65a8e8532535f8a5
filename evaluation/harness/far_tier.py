"""Where far edges are, for as long as a measurement needs them."""

import contextlib

from harness import programs, ways
from harness.shaped_link import MEMORY_ADDRESS, shaped_link


@contextlib.contextmanager
def far_tier(transport, rate=None, ssd_dirs=(), *, capacity):
    """A memory node on this host, behind a link if that has a rate, or SSDs. Gives the flags that reach it, and the words
    before commands that are to use it."""
    if transport == ways.SSD:
        yield [ways.ssd_dirs_flag(ssd_dirs or [ways.GRAPH])], ()
        return
    if not rate:
        with programs.memory_nodes(1, capacity=capacity) as memory_nodes_flag:
            yield [memory_nodes_flag], ()
        return
    with (shaped_link(rate) as link,
          programs.memory_node_at(MEMORY_ADDRESS, "tcp", capacity, link.memory_end) as node_flags):
        yield node_flags, tuple(link.compute_end)
