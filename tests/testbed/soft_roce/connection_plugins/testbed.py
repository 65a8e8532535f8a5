"""Reaches the testbed's machine, which has no network outside, through a folder that it shares with this host."""

import pathlib
import shlex
import time

from ansible.errors import AnsibleConnectionFailure
from ansible.plugins.connection import ConnectionBase

DOCUMENTATION = """
name: testbed
short_description: Run commands in the testbed's machine
description: Commands are files in a folder, which the script `host` in the machine runs in the order of their numbers.
extends_documentation_fragment: [connection_pipelining]
options:
  folder:
    description: The folder, on this host
    required: true
    vars: [{name: testbed_folder}]
"""

PATIENCE_SECONDS = 120


class Connection(ConnectionBase):
    transport = "testbed"
    has_pipelining = True

    def _connect(self):
        self._connected = True
        return self

    def exec_command(self, cmd, in_data=None, sudoable=True):
        super().exec_command(cmd, in_data=in_data, sudoable=sudoable)
        folder = pathlib.Path(self.get_option("folder"))
        number = len(list(folder.glob("*.status"))) + 1
        (folder / f"{number}.input").write_bytes(in_data or b"")
        (folder / "new").write_text(cmd)
        (folder / "new").rename(folder / f"{number}.command")
        status = folder / f"{number}.status"
        end = time.monotonic() + PATIENCE_SECONDS
        while not status.exists():
            if time.monotonic() > end:
                raise AnsibleConnectionFailure(f"the testbed's machine does not answer: {cmd}")
            time.sleep(0.02)
        return int(status.read_text()), (folder / f"{number}.output").read_bytes(), (folder / f"{number}.error").read_bytes()

    def put_file(self, in_path, out_path):
        self.exec_command(f"cat > {shlex.quote(out_path)}", pathlib.Path(in_path).read_bytes())

    def fetch_file(self, in_path, out_path):
        pathlib.Path(out_path).write_bytes(self.exec_command(f"cat {shlex.quote(in_path)}")[1])

    def close(self):
        self._connected = False
