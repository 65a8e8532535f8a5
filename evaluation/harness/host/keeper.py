"""What a measurement changes on its host is undone however the measurement ends. A keeper process does it when the pipe to it
closes, which it also does if the measurement is killed."""

import contextlib
import subprocess

WAIT = 'trap "" INT TERM HUP; read -r _; '


@contextlib.contextmanager
def undone(script, *words, pass_fds=()):
    """Afterwards a shell runs the script, in which $1 and so on are the words. It holds the files `pass_fds` until then."""
    with subprocess.Popen(["sh", "-c", WAIT + script, "sh", *map(str, words)], stdin=subprocess.PIPE, start_new_session=True,
                          pass_fds=pass_fds) as keeper:
        try:
            yield
        finally:
            keeper.stdin.close()
            keeper.wait()
