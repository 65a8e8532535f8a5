import pytest

from paper import cost, papers_runs
from paper.cost import Option, Prices


def test_the_cheapest_step_that_is_large_enough_counts():
    option = Option("", "oracle", ((100, 0, 5), (1000, 300, 1)))
    assert [option.price(gib) for gib in (50, 90, 100, 101, 1001)] == [250, 390, 400, 401, None]


def test_capacity_counts_as_much_as_a_job_is_fast_with_it():
    prices = Prices("", "USD", (100,), (Option("near", "oracle", ((100, 200, 0),)), Option("far", "fargraph", ((100, 50, 0),))))
    assert cost.per_thousand(prices, {"oracle": 1.0, "fargraph": 0.5}) == {"near": [(100, 500.0)], "far": [(100, 1000.0)]}
    assert cost.best_table(prices, {"oracle": 1.0, "fargraph": 0.5}).rows == [["100", "500.0", "1,000.0", "far"]]


def test_speeds_are_those_of_the_overall_table():
    found = cost.speeds([one.run for one in papers_runs.of_overall()])
    assert found["oracle"] == 1 > found["fargraph"] > found["original"]
    assert cost.speeds([]) == {}


def test_the_shipped_prices_can_be_read():
    assert len(cost.make(Prices.read(cost.PRICES), []).tables[0].rows) == len(Prices.read(cost.PRICES).capacities_gib)


def test_what_is_no_file_of_prices_is_said_to_be_none(tmp_path):
    (tmp_path / "prices.json").write_text('{"note": ""}')
    with pytest.raises(ValueError, match="is no file of prices"):
        Prices.read(tmp_path / "prices.json")
