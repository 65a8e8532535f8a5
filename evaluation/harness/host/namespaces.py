"""Network namespaces of a measurement: networks that nobody else is in."""

import contextlib
import os

from harness.host import keeper
from harness.programs import Failed, run

DELETE = """exec 2>/dev/null
for namespace; do
  for process in $(ip netns pids "$namespace"); do kill -KILL "$process"; done
  ip netns delete "$namespace"
done"""  # their devices go with them


def inside(namespace):
    """The words that put a command into it."""
    return ["ip", "netns", "exec", namespace]


@contextlib.contextmanager
def made(*namespaces):
    """New ones of these names, gone afterwards with all that runs in them."""
    if os.geteuid() != 0:
        raise Failed("network namespaces need root; run this as root")
    with keeper.undone(DELETE, *namespaces):
        for namespace in namespaces:
            run(["ip", "netns", "add", namespace])
        yield
