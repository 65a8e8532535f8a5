"""Runs the programs that are measured, and knows the kernels that `fargraph run` has."""

import contextlib
import functools
import os
import pathlib
import re
import secrets
import signal
import subprocess
import sys
import tempfile

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(REPOSITORY / "tests/end_to_end"))
import commands  # noqa: E402  (where the built commands are, and how a memory node is started)
import real_graphs  # noqa: E402,F401  (their names and where they are)

FARGRAPH = str(commands.BIN / "fargraph")
PAGED_RUN = str(commands.BIN / "paged_run")
memory_nodes = commands.memory_nodes


class Failed(Exception):
    """A program ended with an error; the text is one sentence. `exit_code` is None where it was not a program."""

    def __init__(self, text, exit_code=None):
        super().__init__(text)
        self.exit_code = exit_code


def run(argv, launcher=()):
    """Runs a program to its end; `launcher` are words before it. Returns (standard output, standard error)."""
    argv = [*launcher, *map(str, argv)]
    try:
        done = subprocess.run(argv, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    except OSError as error:
        raise Failed(f"{argv[0]} cannot be started: {error.strerror}") from error
    if done.returncode != 0:
        said = (done.stderr.strip() or done.stdout.strip() or "it said nothing").splitlines()[-1]
        raise Failed(f"{' '.join(argv)} ended with {done.returncode}: {said}", done.returncode)
    return done.stdout, done.stderr


@contextlib.contextmanager
def memory_node_at(host, transport, capacity, launcher=()):
    """A memory node that is not on loopback, and so asks for a token; gives the flags that reach it."""
    with tempfile.NamedTemporaryFile("w", prefix="fargraph-token-") as token:
        token.write(secrets.token_hex())
        token.flush()
        token_flag = f"--token_file={token.name}"
        with memory_nodes(1, token_flag, f"--transports={transport}", capacity=capacity, host=host,
                          launcher=launcher) as nodes_flag:
            yield [nodes_flag, token_flag]


def kernels_in(help_text):
    """The names in the list under "KERNEL is one of:"."""
    listed = help_text.partition("KERNEL is one of:\n")[2].partition("\n\n")[0]
    return re.findall(r"^  (\S+)", listed, re.MULTILINE)


@functools.cache
def kernels():
    """The kernels that the built command has."""
    return kernels_in(run([FARGRAPH, "help", "run"])[0])


def run_main(name, main):
    """Ends the command with one sentence on what cannot be done. Whatever ends it, it cleans up."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    signal.signal(signal.SIGHUP, lambda *_: sys.exit(129))
    try:
        main()
    except (Failed, ValueError) as error:
        sys.exit(f"{name}: {error}")
    except (OSError, RuntimeError) as error:  # such as memory_nodes ends with where a node does not start
        built = "" if os.path.exists(FARGRAPH) else f"; {FARGRAPH} was not built"
        sys.exit(f"{name}: {str(error).strip()}{built}")
    except KeyboardInterrupt:
        sys.exit(130)
