"""Medians, extremes and geometric means of ratios that were measured within one round."""

import math
import statistics
from typing import NamedTuple


class Spread(NamedTuple):
    """What several rounds gave."""

    median: float
    least: float
    most: float


def spread(values):
    values = list(values)
    return Spread(statistics.median(values), min(values), max(values))


def ratios(numerators, denominators):
    """Both map a round to seconds; one ratio for every round that has both."""
    return [numerators[number] / denominators[number] for number in sorted(numerators.keys() & denominators.keys())]


def geometric_mean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values))
