from pytest import approx

from harness import ratios


def test_ratios_are_taken_within_a_round():
    assert ratios.ratios({0: 2.0, 1: 30.0, 2: 1.0}, {1: 10.0, 0: 4.0, 3: 1.0}) == [0.5, 3.0]


def test_the_spread_has_median_and_extremes():
    assert ratios.spread(iter([3, 1, 2, 10])) == (2.5, 1, 10)


def test_the_geometric_mean_of_a_ratio_and_its_inverse_is_one():
    assert ratios.geometric_mean(iter([4, 0.25])) == approx(1)
    assert ratios.geometric_mean([2, 4]) == approx(8 ** 0.5)
