import json

from paper.cells import Cell, Journal, Measured


def cell(way="swap", number=0, **settings):
    return Cell("overall", "bfs", "kron", "id", way, number, settings)


def measured(of, limit_bytes=None):
    return Measured(of, "own", 7, 1.5, 0.0, {"edges": 4}, limit_bytes, 2.0, "2026-11-22T08:00:00+00:00", {"cores": 2})


def test_what_was_measured_is_there_when_the_file_is_opened_again(tmp_path):
    Journal(tmp_path / "new/cells.jsonl").add(measured(cell(), 99))
    again = Journal(tmp_path / "new/cells.jsonl")
    assert again.of([cell(), cell(number=1)]) == [measured(cell(), 99)]
    assert again.of([cell()])[0].run.seconds == 1.5
    assert again.limit_bytes([cell(number=1), cell()]) == 99


def test_a_cell_with_other_settings_or_of_another_graph_is_news(tmp_path):
    journal = Journal(tmp_path / "cells.jsonl")
    journal.add(measured(cell(trials=1)))
    assert cell(trials=1) in journal
    assert cell(trials=2) not in journal
    assert Cell("overall", "bfs", "kron", "other id", "swap", 0, {"trials": 1}) not in journal


def test_a_line_that_was_not_finished_is_forgotten_and_the_next_is_whole(tmp_path):
    path = tmp_path / "cells.jsonl"
    Journal(path).add(measured(cell()))
    with open(path, "a", encoding="utf-8") as file:
        file.write(json.dumps({"cell": "half a"})[:9])
    journal = Journal(path)
    assert len(journal.measured) == 1
    journal.add(measured(cell(number=1)))
    assert len(Journal(path).measured) == 2


def test_what_could_not_run_is_told_until_it_runs(tmp_path):
    journal = Journal(tmp_path / "cells.jsonl")
    journal.leave_out(cell(), "no swap")
    journal.leave_out(cell(number=1), "no swap")
    assert cell() not in journal
    assert Journal(journal.path).why_left_out([cell(), cell(number=1)]) == ["no swap"]
    journal.add(measured(cell()))
    assert Journal(journal.path).why_left_out([cell()]) == []
