"""What a refusal looks like, and what it could leave behind."""

import contextlib
import pathlib
import re


def left_behind(folder):
    """What a command that ran in the folder could have left: files, processes, shared memory."""
    files = {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
    processes = set()
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if (process / "cwd").resolve() == folder:
                processes.add(process.name)
    shared = {path.name for path in pathlib.Path("/dev/shm").glob("*fargraph*")}
    return files, processes, shared


def is_news(line):
    """What a command may say before it fails."""
    return line.startswith(("transport: ", "link: ", "far ratio ", "read buffers: "))


def is_sentence(line, program="fargraph"):
    """Names the program, what and why ("what: why"), and what to do after a semicolon."""
    return re.fullmatch(program + r": [^:].*[;,] .+", line) and not line.endswith((".", " "))
