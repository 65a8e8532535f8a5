"""What the tests of the command share."""

import os
import pathlib
import re
import subprocess

import pytest

BIN = pathlib.Path(os.environ.get("FARGRAPH_BIN_DIR", "build/release/bin")).resolve()

# A directed graph whose ids have a hole; 7 -> 7 is a self-loop, 3 -> 7 stands twice.
EDGES = "# a comment\n3 7\n7 9\n3 7\n7 7\n9 3\n40 3\n"


class Fargraph:
    """Runs the command in a directory of its own."""

    def __init__(self, folder, cache):
        self.folder = folder
        self.environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}
        self.started = []

    def __call__(self, *arguments, **options):
        return subprocess.run(
            [BIN / "fargraph", *map(str, arguments)], cwd=self.folder, timeout=120, check=False,
            **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "env": self.environment, **options})

    def start(self, *arguments):
        self.started.append(subprocess.Popen(
            [BIN / "fargraph", *map(str, arguments)], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, env=self.environment))
        return self.started[-1]

    def ok(self, *arguments):
        result = self(*arguments)
        assert result.returncode == 0, result.stderr
        return result.stdout

    def fails(self, code, *arguments, **options):
        """Runs it, expects the exit code and one sentence, and returns the sentence."""
        result = self(*arguments, **options)
        assert result.returncode == code, (result.returncode, result.stderr)
        return sentence_of(result.stderr)


def sentence_of(stderr):
    """The one line that a failing command says, without its name."""
    lines = stderr.splitlines()
    assert len(lines) == 1, stderr
    assert lines[0].startswith("fargraph: "), stderr
    return lines[0].removeprefix("fargraph: ")


@pytest.fixture
def fargraph(tmp_path, tmp_path_factory):
    command = Fargraph(tmp_path, cache=tmp_path_factory.mktemp("cache"))
    yield command
    for process in command.started:
        process.kill()


@pytest.fixture
def graph(fargraph):
    """A small converted graph, as a path below the command's directory."""
    (fargraph.folder / "edges.txt").write_text(EDGES)
    fargraph.ok("convert", "edges.txt", "graph")
    return "graph"


@pytest.fixture
def memory_node():
    """The address of a memory node that ends with the test."""
    with subprocess.Popen(
            [BIN / "fargraph-memory-node", "--listen=127.0.0.1:0", "--capacity=16MiB", "--transports=tcp,shm"],
            stdout=subprocess.PIPE, text=True) as process:
        line = process.stdout.readline()
        yield re.search(r"127\.0\.0\.1:\d+", line).group()
        process.terminate()
