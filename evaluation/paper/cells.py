"""Measured cells in a file of JSON lines, so that a measurement that was interrupted goes on where it was."""

import json
import pathlib
from dataclasses import asdict, dataclass

from harness import machine
from harness.rounds import Run


@dataclass(frozen=True)
class Cell:
    """What is run once, and all that has to be the same for another run of it to be no news."""

    experiment: str
    kernel: str
    graph: str
    graph_id: str   # content id, for names can be reused
    way: str
    round: int
    settings: dict  # what all cells of a measurement share: trials, iterations, precision, transport ...

    def key(self):
        return json.dumps(asdict(self), sort_keys=True)


@dataclass(frozen=True)
class Measured:
    """A cell and what came of it."""

    cell: Cell
    kind: str                # of the way: own, peer or copy
    source: int
    seconds: float           # as of harness.rounds.Run
    busy: float
    report: dict
    limit_bytes: int | None  # of the memory cgroup
    took_seconds: float      # loading and starting included
    at: str                  # date and time
    machine: dict

    @property
    def run(self):
        return Run(self.cell.round, self.cell.kernel, self.cell.graph, self.cell.way, self.kind, self.source, self.seconds,
                   self.busy, self.report)


class Journal:
    """The file: a line for each measured cell, and one for each that could not run, which is tried again another time. Of
    several lines of a cell the last one counts. A last line that was not finished is forgotten."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.measured = {}  # {key: Measured}
        self.left_out = {}  # {key: why}, without those that ran since
        if self.path.exists():
            whole, _, rest = self.path.read_bytes().rpartition(b"\n")
            if rest:
                self.path.write_bytes(whole + b"\n" if whole else b"")
            for line in whole.splitlines():
                self._take(json.loads(line))

    def _take(self, fields):
        cell = Cell(**fields.pop("cell"))
        if "left_out" in fields:
            self.left_out[cell.key()] = fields["left_out"]
            self.measured.pop(cell.key(), None)
        else:
            self.measured[cell.key()] = Measured(cell, **fields)
            self.left_out.pop(cell.key(), None)

    def __contains__(self, cell):
        return cell.key() in self.measured

    def add(self, measured):
        self._append(asdict(measured))

    def leave_out(self, cell, why):
        self._append({"cell": asdict(cell), "left_out": why})

    def _append(self, fields):
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps(fields) + "\n")
        self._take(fields)

    def origin(self, cell):
        """The machine and build that measured it; None if none did."""
        return machine.hardware_and_build(self.measured[cell.key()].machine) if cell in self else None

    def of(self, cells):
        """Those of the cells that were measured."""
        return [self.measured[cell.key()] for cell in cells if cell in self]

    def why_left_out(self, cells):
        """Each reason once."""
        return list(dict.fromkeys(self.left_out[cell.key()] for cell in cells if cell.key() in self.left_out))

    def limit_bytes(self, cells):
        """That the earlier ones of these cells had, for the others have to have the same; None without any."""
        return next((measured.limit_bytes for measured in self.of(cells) if measured.limit_bytes), None)
