"""Two network namespaces with a link of a set rate between them: a small network on one host."""

import contextlib
import os

from harness.host import namespaces
from harness.programs import run
from harness.yardsticks.copy_rate import copy_rate

MEMORY_ADDRESS, COMPUTE_ADDRESS = "10.0.0.1", "10.0.0.2"  # nobody else is in these namespaces
BURST, LONGEST_QUEUE = "1mb", "20ms"


class ShapedLink:
    """Launchers put a command on either end."""

    def __init__(self, rate):
        self.rate = rate
        self.memory_namespace = f"fargraph-memory-{os.getpid()}"
        self.compute_namespace = f"fargraph-compute-{os.getpid()}"
        self.namespaces = (self.memory_namespace, self.compute_namespace)

    @property
    def memory_end(self):
        return namespaces.inside(self.memory_namespace)

    @property
    def compute_end(self):
        return namespaces.inside(self.compute_namespace)

    def set_up(self):
        run(["ip", "link", "add", "memory", "netns", self.memory_namespace, "type", "veth",
             "peer", "name", "compute", "netns", self.compute_namespace])
        self._open_end(self.memory_end, "memory", MEMORY_ADDRESS)
        self._open_end(self.compute_end, "compute", COMPUTE_ADDRESS)

    def _open_end(self, end, device, address):
        run([*end, "ip", "address", "add", f"{address}/24", "dev", device])
        run([*end, "ip", "link", "set", device, "up"])
        run([*end, "tc", "qdisc", "add", "dev", device, "root", "tbf", "rate", self.rate, "burst", BURST,
             "latency", LONGEST_QUEUE])

    def copy_rate(self, seconds=1.0):
        """Bytes per second of a bulk copy from the memory node's end to the compute node's."""
        return copy_rate(COMPUTE_ADDRESS, self.compute_end, self.memory_end, seconds)


@contextlib.contextmanager
def shaped_link(rate):
    """A link of a rate such as 8gbit in both directions, gone afterwards with all that runs on either end."""
    link = ShapedLink(rate)
    with namespaces.made(*link.namespaces):
        link.set_up()
        yield link
