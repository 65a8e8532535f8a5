"""What the tables say of the paper's own results, and of small ones."""

import pytest

from harness import baselines
from paper import buffering, chunk, overall, papers_runs, pictures, ratio, report, table1
from paper.papers_runs import measured


def column(table, name):
    return [row[table.header.index(name)] for row in table.rows]


def test_overall_finds_the_papers_speedups():
    section = overall.make(papers_runs.of_overall(), None)
    times, means = section.tables
    speedups = {(row[0], row[1]): row for row in times.rows}
    original, swap = times.header.index("vs original"), times.header.index("vs fastswap")
    assert (speedups["LJ", "bfs"][original], speedups["LJ", "bfs"][swap]) == ("3.3x", "3.5x")
    assert (speedups["TW", "pagerank"][original], speedups["FR", "pagerank"][swap]) == ("6.9x", "8.3x")
    assert column(means, "vs original") == column(means, "paper: vs original")
    assert "from 1.53x (wcc on OR) to 6.9x (pagerank on TW)" in " ".join(section.found)


def test_overall_does_without_what_did_not_run():
    section = overall.make([measured("overall", "bfs", "kron", baselines.ORACLE, 1.0)], None)
    assert section.tables[0].rows == [["kron", "bfs", "1.000", "-"]]
    assert section.found == []


def test_buffering_finds_what_it_saves_in_the_paper():
    section = buffering.make(papers_runs.of_buffering(), None)
    assert section.tables[0].rows[0] == ["bfs", "LJ", "3.450", "2.970", "0.4800", "14% (14%)"]
    assert "pagerank: buffering saves 7% to 19% of the duration; in the paper's table 7% to 19%." in section.found


def test_buffering_saves_what_it_does_within_rounds():
    section = buffering.make([measured("buffering", "bfs", "kron", way, seconds, number) for way, times in
                              ((buffering.WITHOUT, (1.0, 2.0, 4.0)), (buffering.WITH, (0.5, 1.9, 1.0)))
                              for number, seconds in enumerate(times)], None)
    assert section.tables[0].rows == [["bfs", "kron", "2.000", "1.000", "0.5000", "50% (5% to 75%)"]]


def test_ratio_begins_with_all_local_and_holds_swap_against_fargraph():
    section = ratio.make([measured("ratio", "bfs", "kron", way, seconds) for way, seconds in
                          (("oracle 0.4", 1.0), ("swap 0.4", 3.0), ("fargraph 0.4", 1.5), ("oracle 0.8", 1.6),
                           ("fargraph 0.8", 2.0))], None)
    [table] = section.tables
    assert column(table, "far") == ["0%", "40%", "80%"]
    assert column(table, "swap s") == ["1.300", "3.000", "-"]
    assert column(table, "vs swap") == ["-", "2.0x", "-"]
    assert "bfs on kron: with 80% far fargraph takes 1.25x the time of all local." in section.found


def test_chunk_names_the_best_size_and_holds_the_tuned_one_against_it():
    section = chunk.make([measured("chunk", "bfs", "kron", way, seconds, vertices=40_000, edges=9, bytes_fetched=0,
                                   chunk_bytes=128 << 10)
                          for way, seconds in (("4KiB", 4.0), ("64KiB", 2.0), ("tuned", 2.5))], None)
    assert section.found == ["bfs on kron: 64KiB is best and saves 50% against 4KiB; tuned to 128KiB it takes 1.25x the time of "
                             "what the other rounds choose by hand."]
    assert section.tables[0].rows[0][:6] == ["kron", "40 K", "bfs", "4.000", "1.00", "-"]


def test_table1_shows_what_is_read_with_all_edges_far():
    report = {"vertices": 4096, "edges": 1 << 20, "peak_memory_bytes": 10 << 20, "iterations": 2, "bytes_fetched": 4 << 20,
              "requests": 64, "bytes_useful": 3 << 20}
    cells = [measured("table1", "bfs", "kron", way, 0.5, **report) for way in ("local", "far 1")]
    graphs, kernels, _ = table1.make(cells, None).tables
    assert graphs.rows == [["kron", "4 K", "1,049 K", "4", "10"]]
    assert kernels.rows == [["bfs", "random", "kron", "0.500", "2", "50%", "64", "75%"]]


@pytest.mark.parametrize("experiment, way", [(overall, baselines.ORACLE), (buffering, buffering.WITHOUT), (ratio, "oracle 0.4"),
                                             (chunk, "64KiB")])
def test_of_a_way_alone_there_are_tables_and_no_picture(experiment, way, tmp_path):
    one = measured(experiment.NAME, "bfs", "kron", way, 1.0, vertices=9, edges=9, bytes_fetched=0)
    section = experiment.make([one], None)
    report.write(tmp_path, [section], {})
    assert all(f"{table.caption}:" in (tmp_path / "report.md").read_text() for table in section.tables)
    assert not list(tmp_path.glob("*.svg"))
    assert pictures.why_none() or all(picture.draw() is None for picture in section.pictures)
