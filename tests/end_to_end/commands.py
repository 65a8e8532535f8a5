"""Starts the two built commands: what every end-to-end test is written in."""

import contextlib
import json
import os
import pathlib
import subprocess

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(os.environ.get("FARGRAPH_BIN_DIR", REPOSITORY / "build/release/bin"))
TIMEOUT_SECONDS = 300


def fargraph(*arguments, check=True, **kwargs):
    """Runs `fargraph ARGUMENTS`; with `check` it has to succeed."""
    done = subprocess.run([BIN / "fargraph", *map(str, arguments)], capture_output=True, text=True,
                          timeout=TIMEOUT_SECONDS, stdin=subprocess.DEVNULL, **kwargs)
    if check:
        assert done.returncode == 0, done.stderr
    return done


def run_job(kernel, graph, *flags):
    """Runs a kernel and returns its report."""
    return json.loads(fargraph("run", kernel, graph, "--json=-", *flags).stdout)


def require_direct_io(directory):
    """Skips the test where the file system has no direct IO."""
    import pytest  # here, because the evaluation starts the commands without it
    probe = fargraph("probe", f"--ssd_dirs={directory}", check=False)
    if probe.returncode == 8:
        pytest.skip(f"{directory} is on a file system without direct IO")


class MemoryNode:
    """A running fargraph-memory-node; `launcher` are words before its command."""

    def __init__(self, *flags, capacity="256MiB", host="127.0.0.1", launcher=()):
        command = [*launcher, BIN / "fargraph-memory-node", f"--listen={host}:0", f"--capacity={capacity}", *flags]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        if not line.startswith("listening on "):
            self.process.kill()
            raise RuntimeError(f"the memory node did not start: {line}{self.process.stderr.read()}")
        self.line = line
        self.address = line.removeprefix("listening on ").split(",")[0]

    def stop(self):
        """Asks it to end and returns its exit code; it is killed where it does not."""
        self.process.terminate()
        try:
            self.process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()
        return self.process.returncode


@contextlib.contextmanager
def memory_nodes(count, *flags, capacity="256MiB", host="127.0.0.1", launcher=()):
    """`count` memory nodes; gives their --memory_nodes flag. They must end cleanly."""
    nodes = []
    try:
        for _ in range(count):
            nodes.append(MemoryNode(*flags, capacity=capacity, host=host, launcher=launcher))
        yield "--memory_nodes=" + ",".join(node.address for node in nodes)
    finally:
        codes = [node.stop() for node in nodes]
    assert codes == [0] * count
