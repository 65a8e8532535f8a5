"""Ctrl-C and SIGTERM end the command in order."""

import pathlib
import re
import signal
import time

import pytest

from conftest import sentence_of


def wait_for(condition):
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def catches(process, number):
    """Whether the process has a handler for the signal by now."""
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
    mask = int(re.search(r"^SigCgt:\s*([0-9a-f]+)$", status, re.MULTILINE).group(1), 16)
    return mask >> (number - 1) & 1


def interrupt(process, number):
    process.send_signal(number)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "nterrupted" in sentence_of(stderr)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_at_once(fargraph, number):
      # A graph that would take many minutes.
    process = fargraph.start("generate", "uniform", "graph", "--scale=28")
    wait_for(lambda: catches(process, number))
    interrupt(process, number)
    assert not list(fargraph.folder.iterdir())


def test_interrupted_while_writing_files(fargraph):
    process = fargraph.start("generate", "uniform", "graph", "--scale=20", "--sort_memory=16MiB")
    wait_for(lambda: list(fargraph.folder.glob("graph*/*")))
    interrupt(process, signal.SIGINT)
    assert not list(fargraph.folder.iterdir())


def test_interrupted_while_replaying_a_trace(fargraph):
    (fargraph.folder / "long.spc").write_text("0,0,512,R,0\n0,2040,4096,R,0\n" * 500000)
    (fargraph.folder / "target").write_bytes(bytes(1 << 20))
    flags = ["--target=target", "--depth=1", "--block_size=4KiB"]
    (fargraph.folder / "short.spc").write_text("0,0,512,R,0\n")
    if "direct IO" in fargraph("replay", "short.spc", *flags).stderr:
        pytest.skip("the file system of temporary files has no direct IO")
    process = fargraph.start("replay", "long.spc", *flags, "--json=report.json")
    wait_for(lambda: catches(process, signal.SIGTERM))
    interrupt(process, signal.SIGTERM)
    assert not (fargraph.folder / "report.json").exists()
