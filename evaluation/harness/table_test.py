from harness import table
from harness.ratios import Spread


def test_numbers_stand_to_the_right_and_words_to_the_left():
    assert table.render(["name", "s"], [["a", "1.5"], ["longer", "-"]]) == (
        "name      s\n------  ---\na       1.5\nlonger    -")


def test_cells():
    assert table.seconds(0.0123) == "0.0123"
    assert table.seconds(12.3) == "12.300"
    assert table.ratio(Spread(1, 0.5, 2)) == "1.00 (0.50-2.00)"
