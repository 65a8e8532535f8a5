"""The JSON file of a measurement: what ran where, and every run."""

import json
import pathlib
import sys

from harness import programs, rounds
from harness.machine import hardware
from harness.rounds import Run


def require_same_conditions(path, earlier, now):
    """Runs that are added to those of the file are to be compared with these."""
    if hardware(earlier) != hardware(now):
        raise ValueError(f"--resume: the runs in {path} are of other conditions ({hardware(earlier)}) than these "
                         f"({hardware(now)}); give --output another name")


def require_any(runs):
    """Failed where nothing ran."""
    if not runs:
        raise programs.Failed("nothing was measured: everything was left out")


class Results:
    """The runs of this run and, to go on with them, those of an earlier one."""

    def __init__(self, path, machine, resume, run_type=Run):
        self.path = pathlib.Path(path)
        self.machine = machine
        self.left_out = []
        self.earlier = []
        self.runs = []  # of this run
        self.earlier_machine = machine
        if resume and self.path.exists():
            report = json.loads(self.path.read_text())
            self.earlier = [run_type(**run) for run in report["runs"]]
            self.earlier_machine = report["machine"]

    def measure(self, cases, sources, settings, count):
        """Warms up and runs `count` rounds; returns all runs, earlier ones included."""
        if count == 0:
            return self.earlier
        numbers = self.next_rounds(count)
        self._require_same_trials(cases, settings.trials)
        cases, refusals = rounds.warm_up(cases, sources, settings)
        self.leave_out(refusals)
        return self.finish(rounds.measure(cases, sources, settings, numbers, self.write, self.leave_out))

    def finish(self, runs):
        """Writes the runs of all rounds; returns them and earlier ones. Failed if there is none of these rounds."""
        everything = self.write(runs)
        require_any(runs)
        return everything

    def _require_same_trials(self, cases, trials):
        """Of a case; others may have fewer, if they take long."""
        asked = {(case.kernel, case.graph.name) for case in cases}
        for run in self.earlier:
            if (run.kernel, run.graph) in asked and len(run.report.get("trial_seconds", range(trials))) != trials:
                raise ValueError(f"--resume: {run.kernel} on {run.graph} has {len(run.report['trial_seconds'])} trials a run in "
                                 f"{self.path}; give --trials as many, or --output another name")

    def leave_out(self, refusals):
        """Says what did not run, and why."""
        for refusal in refusals:
            print(refusal, file=sys.stderr)
        self.left_out += refusals

    def next_rounds(self, count):
        """The numbers of so many rounds behind the earlier ones, which these are to be compared with."""
        if count > 0:
            require_same_conditions(self.path, self.earlier_machine, self.machine)
        first = max((run.round for run in self.earlier), default=-1) + 1
        return range(first, first + count)

    def write(self, runs):
        """Writes these behind the earlier ones; returns all."""
        self.runs = runs
        everything = self.earlier + runs
        report = {"machine": self.machine, "command": sys.argv, "left_out": self.left_out,
                  "runs": [run.as_dict() for run in everything]}
        self.path.write_text(json.dumps(report, indent=1) + "\n")
        return everything

    def write_again(self):
        """With what was found of the machine since; earlier runs alone stay with theirs."""
        if self.runs:
            self.write(self.runs)
