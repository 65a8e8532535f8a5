import contextlib
import dataclasses
from types import SimpleNamespace

import pytest

from harness import machine, programs, ways
from harness.graphs import Graph
from paper.cells import Cell, Journal
from paper.measure import Measurement


@dataclasses.dataclass
class Way:
    name: str
    able: bool = True
    far_ratio = 0
    kind = "own"

    def run(self, *_):
        if not self.able:
            raise programs.Failed("not today")
        return [1.0], {}


class Bench:
    """Two rounds of two ways."""

    size = SimpleNamespace(rounds=2)

    def cells(self, block):
        return [Cell("overall", "bfs", "kron", "id", way.name, number, {}) for number in range(2) for way in block.ways]

    def settings(self, _):
        return ways.Settings(iterations=1, trials=1, precision="single")

    def sources(self, _):
        return [0]


@pytest.fixture
def measure(monkeypatch, tmp_path):
    """Measures on a build; returns {(round, way): build} of all that was measured until then."""
    (tmp_path / "manifest.json").write_text('{"edges": 1}')
    description = machine.describe()

    def run(commit, *found):
        monkeypatch.setattr(machine, "describe", lambda: {**description, "commit": commit})
        block = SimpleNamespace(experiment="overall", case=ways.Case("bfs", Graph("kron", tmp_path)), ways=found,
                                opened=lambda *_: contextlib.nullcontext((found, None)))
        journal = Journal(tmp_path / "cells.jsonl")
        Measurement(Bench(), [block], journal).run()
        return {(one.cell.round, one.cell.way): one.machine["commit"] for one in journal.measured.values()}

    return run


FARGRAPH, SWAP, NO_SWAP = Way("fargraph"), Way("swap"), Way("swap", able=False)


def test_a_round_that_lacks_a_run_is_of_one_build(measure):
    assert measure("old", FARGRAPH, NO_SWAP) == {(0, "fargraph"): "old", (1, "fargraph"): "old"}
    assert set(measure("new", FARGRAPH, SWAP).values()) == {"new"}


def test_whole_rounds_stay_as_they_are(measure):
    first = measure("old", FARGRAPH, SWAP)
    assert measure("new", FARGRAPH, SWAP) == first and len(first) == 4


def test_what_an_older_build_measured_goes_where_it_cannot_run_now(measure):
    measure("old", FARGRAPH, SWAP)
    assert measure("new", FARGRAPH, NO_SWAP, Way("page")) == {
        (number, name): "new" for number in range(2) for name in ("fargraph", "page")}
