"""Two network namespaces with a link of a set rate between them: a small network on one host."""

import contextlib
import os
import subprocess
import sys

from harness import bulk_copy, keeper
from harness.programs import Failed, run

MEMORY_ADDRESS, COMPUTE_ADDRESS = "10.0.0.1", "10.0.0.2"  # nobody else is in these namespaces
BURST, LONGEST_QUEUE = "1mb", "20ms"
DELETE = """exec 2>/dev/null
for namespace; do
  for process in $(ip netns pids "$namespace"); do kill -KILL "$process"; done
  ip netns delete "$namespace"
done"""  # their devices go with them


class ShapedLink:
    """Launchers put a command on either end."""

    def __init__(self, rate):
        self.rate = rate
        self.memory_namespace = f"fargraph-memory-{os.getpid()}"
        self.compute_namespace = f"fargraph-compute-{os.getpid()}"
        self.namespaces = (self.memory_namespace, self.compute_namespace)

    @property
    def memory_end(self):
        return ["ip", "netns", "exec", self.memory_namespace]

    @property
    def compute_end(self):
        return ["ip", "netns", "exec", self.compute_namespace]

    def set_up(self):
        for namespace in self.namespaces:
            run(["ip", "netns", "add", namespace])
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
        script, port = [sys.executable, bulk_copy.__file__], "9999"
        with subprocess.Popen([*self.compute_end, *script, "receive", COMPUTE_ADDRESS, port],
                              stdout=subprocess.PIPE, text=True) as receiver:
            try:
                receiver.stdout.readline()
                run([*script, "send", COMPUTE_ADDRESS, port, str(seconds)], self.memory_end)
                return float(receiver.stdout.readline())
            finally:
                receiver.terminate()


@contextlib.contextmanager
def shaped_link(rate):
    """A link of a rate such as 8gbit in both directions, gone afterwards with all that runs on either end."""
    if os.geteuid() != 0:
        raise Failed("network namespaces need root; run this as root")
    link = ShapedLink(rate)
    with keeper.undone(DELETE, *link.namespaces):
        link.set_up()
        yield link
