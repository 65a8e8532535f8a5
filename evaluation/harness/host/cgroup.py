"""Cgroups of version 1 or 2, whichever the host has mounted."""

import contextlib
import pathlib
import sys

from harness.host import keeper
from harness.programs import Failed

ROOT = pathlib.Path("/sys/fs/cgroup")
VERSION_2 = (ROOT / "cgroup.controllers").exists()
NAMES_IN_VERSION_1 = {"io": "blkio"}
# The kernel notices after a moment that the last process has ended.
REMOVE = """exec 2>/dev/null
for group; do
  for attempt in $(seq 200); do
    rmdir "$group" && break
    kill -KILL $(cat "$group/cgroup.procs"); sleep 0.05
  done
done"""


class Cgroup:
    """A group for processes started with its launcher, with those controllers, by their names in version 2. Needs root. As a
    context manager it is removed afterwards, with what still runs in it."""

    def __init__(self, name, *controllers):
        self._paths = {controller: self._hierarchy(controller) / name for controller in controllers}
        self._removal = contextlib.ExitStack()
        for controller, path in self._paths.items():
            try:
                if VERSION_2:
                    (ROOT / "cgroup.subtree_control").write_text(f"+{controller}")
                path.mkdir(exist_ok=True)
            except OSError as error:
                for made in filter(pathlib.Path.exists, self._folders()):
                    made.rmdir()
                raise Failed(f"the {controller} cgroup {path} cannot be made: {error.strerror}; run this as root, where "
                             f"{controller} cgroups may be made") from error

    @staticmethod
    def _hierarchy(controller):
        return ROOT if VERSION_2 else ROOT / NAMES_IN_VERSION_1.get(controller, controller)

    def folder(self, controller):
        """Where that controller's files are."""
        return self._paths[controller]

    def _folders(self):
        return list(dict.fromkeys(self._paths.values()))

    def __enter__(self):
        self._removal.enter_context(keeper.undone(REMOVE, *self._folders()))
        return self

    def __exit__(self, *_):
        self._removal.close()
        for path in filter(pathlib.Path.exists, self._folders()):
            print(f"the cgroup {path} has a process that does not end; when it has: rmdir {path}", file=sys.stderr)

    @property
    def launcher(self):
        """Words before a command that make it a member from the start."""
        return tuple(word for path in self._folders()
                     for word in ("sh", "-c", 'echo $$ >"$0" && exec "$@"', str(path / "cgroup.procs")))
