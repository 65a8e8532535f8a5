"""A far job that would go on for hours, caught in its iterations, and what memory nodes hold meanwhile."""

import os
import pty
import re
import select
import subprocess
import time

import commands

PATIENCE_SECONDS = 60  # an upper bound; what is waited for takes one or two
ERASE_LINE = "\r\x1b[K"


def wait_for(condition):
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def in_use(address):
    """What a memory node has allocated, as `fargraph regions` says it, such as '12 KiB'."""
    listing = commands.fargraph("regions", f"--memory_nodes={address}").stdout
    return re.match(r".*: (.+) of .+ in use\n", listing)[1]


class FarJob:
    """PageRank with all edges far and its progress on a terminal."""

    def __init__(self, graph, nodes, *flags, folder):
        self.terminal, its_end = pty.openpty()
        addresses = ",".join(node.address for node in nodes)
        self.process = subprocess.Popen(
            [commands.BIN / "fargraph", "run", "pagerank", graph, f"--memory_nodes={addresses}", "--far_ratio=1",
             "--chunk_size=4KiB", "--iterations=1000000000", "--output=ranks", "--json=report", *flags],
            cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=its_end)
        os.close(its_end)
        self.shown = ""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.terminal)

    def wait_for_iterations(self):
        self._read_until(lambda: re.search(r"iteration [1-9]\d", self.shown))

    def end(self):
        """Its exit code and the last line on its terminal, once it has ended by itself."""
        self._read_until(lambda: False)
        code = self.process.wait(timeout=PATIENCE_SECONDS)
        last_line = self.shown.rstrip("\r\n").split("\n")[-1]
        return code, last_line.split(ERASE_LINE)[-1]

    def _read_until(self, condition):
        """Reads what the job shows until the condition holds or the job closes its terminal."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not condition():
            left = deadline - time.monotonic()
            assert left > 0 and select.select([self.terminal], [], [], left)[0], self.shown[-200:]
            try:
                self.shown += os.read(self.terminal, 1 << 16).decode()
            except OSError:  # the other end is closed
                return
