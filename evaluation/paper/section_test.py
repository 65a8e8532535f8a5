from harness.ratios import Spread
from paper import section
from paper.section import Table

TABLE = Table("t", "c", ["kernel", "s", "vs swap"], [["bfs", "0.1", "-"], ["wcc, all", "12", "3.0x"]])


def test_numbers_stand_to_the_right():
    assert [TABLE.is_numeric(column) for column in range(3)] == [False, True, True]
    assert TABLE.markdown().splitlines() == ["| kernel | s | vs swap |", "| --- | ---: | ---: |", "| bfs | 0.1 | - |",
                                             "| wcc, all | 12 | 3.0x |"]


def test_commas_survive_in_csv():
    assert TABLE.csv() == 'kernel,s,vs swap\nbfs,0.1,-\n"wcc, all",12,3.0x\n'


def test_numbers_for_people():
    assert [section.seconds(value) for value in (0.01234, 1.23456, 637.17)] == ["0.0123", "1.235", "637.2"]
    assert [section.count(value) for value in (40_000, 1_048_576, 33_554_432)] == ["40 K", "1,049 K", "33.6 M"]
    assert section.factor(Spread(3.31, 3.31, 3.31)) == "3.3x"
    assert section.factor(Spread(1.5, 1.04, 2)) == "1.50x (1.0-2.0)"
