"""Runs what a journal does not have yet. Times are compared within a round, so a round that lacks a run is of one machine and
build: what others measured of it is run again."""

import datetime
import itertools
import time

from harness import baselines, machine, programs, rounds

from paper.cells import Measured
from paper.progress import Progress

PREPARE = "prepare"  # a step for the progress, as if it were a way


class Measurement:
    """Of some blocks, whose graphs are there."""

    def __init__(self, bench, blocks, journal):
        self.bench, self.blocks, self.journal = bench, blocks, journal
        self.machine = machine.describe()
        self.origin = machine.hardware_and_build(self.machine)
        cells = [cell for block in blocks for cell in bench.cells(block)]
        self.total = len(cells)
        self.progress = Progress({block.case.graph.name: block.case.graph.edges() for block in blocks})
        for measured in journal.of(cells):
            self.progress.learn(_step(measured.cell), measured.took_seconds)

    def run(self):
        for block in self.blocks:
            if waiting := self._waiting(block):
                self._run_block(block, waiting)

    def _waiting(self, block):
        """{(round, way): cell} of what is to be run."""
        found = {}
        for _, same_round in itertools.groupby(self.bench.cells(block), key=lambda cell: cell.round):
            cells = list(same_round)
            origins = {self.journal.origin(cell) for cell in cells}
            if None in origins or len(origins) > 1:
                found |= {(cell.round, cell.way): cell for cell in cells if self.journal.origin(cell) != self.origin}
        return found

    def _run_block(self, block, waiting):
        """`waiting`: {(round, way): cell}. A wrong answer ends everything."""
        earlier_limit_bytes = self.journal.limit_bytes(self.bench.cells(block))
        self._say(f"{block.experiment}: {block.case}: preparing")
        began = time.monotonic()
        try:
            with block.opened(self.bench, earlier_limit_bytes) as (ways, limit_bytes):
                able = self._warm_up(block, ways, waiting)
                self.progress.learn((PREPARE, block.case.kernel, block.case.graph.name), time.monotonic() - began)
                self._run_rounds(block, able, waiting, limit_bytes)
        except programs.Failed as error:
            if error.exit_code == baselines.WRONG_ANSWER:
                raise
            self._leave_out(waiting.values(), f"left out: {block.case}: {error}")

    def _warm_up(self, block, ways, waiting):
        """Returns the ways that can run."""
        case = block.case
        wanted = [way for way in ways if any(way.name == name for _, name in waiting)]
        sources = {case.graph.name: self.bench.sources(case.graph)}
        able, refusals = rounds.warm_up({case: wanted}, sources, self.bench.settings(block))
        for refusal in refusals:
            self._leave_out([cell for cell in waiting.values() if f"{case}, {cell.way}: " in refusal], refusal)
        return able.get(case, [])

    def _run_rounds(self, block, ways, waiting, limit_bytes):
        sources = self.bench.sources(block.case.graph)
        for number, _, way in rounds.order({block.case: ways}, range(self.bench.size.rounds)):
            if cell := waiting.get((number, way.name)):
                self._run_cell(cell, block, way, sources[number % len(sources)], limit_bytes)

    def _run_cell(self, cell, block, way, source, limit_bytes):
        case = block.case
        at, began = datetime.datetime.now().astimezone(), time.monotonic()
        try:
            run = rounds.run_once(cell.round, case, way, source, self.bench.settings(block))
        except programs.Failed as error:
            self._leave_out([cell], f"left out: {case}, {way.name}: {error}")
            return
        took = time.monotonic() - began
        self.journal.add(Measured(cell, run.kind, run.source, run.seconds, run.busy, run.report, limit_bytes, took,
                                  at.isoformat(timespec="seconds"), self.machine))
        self.progress.learn(_step(cell), took)
        self._say(f"{cell.experiment}: {case}, {cell.way}, round {cell.round + 1}: {run.seconds:.4g} s")

    def _leave_out(self, cells, why):
        for cell in cells:
            if self.journal.origin(cell) != self.origin:
                self.journal.leave_out(cell, why)
        self._say(why)

    def _say(self, text):
        steps, cells = [], 0
        for block in self.blocks:
            waiting = self._waiting(block).values()
            steps += [(PREPARE, block.case.kernel, block.case.graph.name)] * bool(waiting) + [_step(cell) for cell in waiting]
            cells += len(waiting)
        self.progress.say(text, self.total - cells, self.total, steps)


def _step(cell):
    return cell.way, cell.kernel, cell.graph
