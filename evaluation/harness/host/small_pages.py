"""Runs a command that gets no transparent huge pages, nor do its children.

usage: python3 small_pages.py COMMAND...
"""

import ctypes
import os
import sys

PR_SET_THP_DISABLE = 41
LAUNCHER = (sys.executable, __file__)


def main():
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_THP_DISABLE, *map(ctypes.c_ulong, (1, 0, 0, 0))) != 0:
        sys.exit(f"transparent huge pages cannot be disabled: {os.strerror(ctypes.get_errno())}")
    try:
        os.execvp(sys.argv[1], sys.argv[1:])
    except OSError as error:
        sys.exit(f"{sys.argv[1]} cannot be started: {error.strerror}")


if __name__ == "__main__":
    main()
