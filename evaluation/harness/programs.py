"""Runs the programs that are measured, and knows the kernels that `fargraph run` has."""

import contextlib
import functools
import os
import pathlib
import re
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(REPOSITORY / "tests/end_to_end"))
import commands  # noqa: E402  (where the built commands are, and how a memory node is started)
import real_graphs  # noqa: E402,F401  (their names and where they are)

FARGRAPH = str(commands.BIN / "fargraph")
NOT_LEFT_BEHIND = ("setpriv", "--pdeathsig=TERM")  # ends with the measurement, even if that is killed
ON_HUGE_PAGES = ("env", "GLIBC_TUNABLES=glibc.malloc.hugetlb=1")  # transparent ones, as jobs ask for, for what is allocated
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
PATIENCE_SECONDS = 30  # with a program that is asked to end


def of_evaluation(name):
    """The path of a program that only the evaluation needs: beside the two commands, or where packages have it."""
    packaged = commands.BIN.parent / "libexec/fargraph" / name
    return str(packaged if packaged.exists() else commands.BIN / name)


class Failed(Exception):
    """A program ended with an error; the text is one sentence. `exit_code` is None where it was not a program."""

    def __init__(self, text, exit_code=None):
        super().__init__(text)
        self.exit_code = exit_code


def run(argv, launcher=()):
    """Runs a program to its end; `launcher` are words before it. Returns (standard output, standard error)."""
    argv = [*launcher, *map(str, argv)]
    if not shutil.which(argv[0]):
        built = "; cmake --build --preset release makes it" if REPOSITORY in pathlib.Path(argv[0]).parents else ""
        raise Failed(f"{argv[0]} cannot be started: there is no such program{built}")
    with subprocess.Popen([*NOT_LEFT_BEHIND, *argv], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True) as process, _ended(process):
        stdout, stderr = process.communicate()
    if process.returncode != 0:
        said = (stderr.strip() or stdout.strip() or "it said nothing").splitlines()[-1]
        raise Failed(f"{' '.join(argv)} ended with {process.returncode}: {said}", process.returncode)
    return stdout, stderr


@contextlib.contextmanager
def _ended(process):
    """Whatever ends the block, the process has ended, and cleaned up what it made."""
    try:
        yield
    except BaseException:
        process.terminate()
        try:
            process.wait(PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
        raise


def memory_nodes(count, *flags, launcher=(), **options):
    """As commands.memory_nodes."""
    return commands.memory_nodes(count, *flags, launcher=(*NOT_LEFT_BEHIND, *launcher), **options)


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
    """Ends the command with one sentence on what cannot be done. A signal ends it too, and all context managers with it."""
    for number in ENDING:
        if signal.getsignal(number) != signal.SIG_IGN:  # as nohup has it
            signal.signal(number, _end)
    try:
        main()
    except (Failed, ValueError) as error:
        sys.exit(f"{name}: {error}")
    except (OSError, RuntimeError) as error:  # such as memory_nodes ends with where a node does not start
        built = "" if os.path.exists(FARGRAPH) else f"; {FARGRAPH} was not built"
        sys.exit(f"{name}: {str(error).strip()}{built}")


def _end(number, _frame):
    """Once: cleaning up is not interrupted."""
    for other in ENDING:
        signal.signal(other, signal.SIG_IGN)
    sys.exit(128 + number)
