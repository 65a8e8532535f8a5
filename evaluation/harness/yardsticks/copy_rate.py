"""How fast a plain copy is on the way that reads over tcp take."""

import subprocess
import sys

from harness.programs import run
from harness.yardsticks import bulk_copy


def copy_rate(address, receiver_end=(), sender_end=(), seconds=0.5):
    """Bytes per second of a bulk copy to the receiver's address; the words that put a command on either end."""
    script = [sys.executable, bulk_copy.__file__]
    with subprocess.Popen([*receiver_end, *script, "receive", address], stdout=subprocess.PIPE, text=True) as receiver:
        try:
            port = receiver.stdout.readline().strip()
            run([*script, "send", address, port, str(seconds)], sender_end)
            return float(receiver.stdout.readline())
        finally:
            receiver.terminate()
