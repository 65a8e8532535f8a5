"""The JSON file of a measurement: what ran where, and every run."""

import json
import pathlib
import sys

from harness.rounds import Run


class Results:
    """The runs of this run and, to go on with them, those of an earlier one."""

    def __init__(self, path, machine, resume):
        self.path = pathlib.Path(path)
        self.machine = machine
        self.extra = {}
        self.earlier = []
        if resume and self.path.exists():
            self.earlier = [Run(**run) for run in json.loads(self.path.read_text())["runs"]]

    @property
    def next_round(self):
        return max((run.round for run in self.earlier), default=-1) + 1

    def write(self, runs):
        """Replaces the file; returns all runs, earlier ones included."""
        everything = self.earlier + runs
        report = {"machine": self.machine, "command": sys.argv, **self.extra,
                  "runs": [run.as_dict() for run in everything]}
        self.path.write_text(json.dumps(report, indent=1) + "\n")
        return everything
