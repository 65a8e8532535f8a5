"""Cost-effectiveness of capacity, from a file of prices and the speeds that were measured."""

import json
import pathlib
from dataclasses import dataclass

from harness import baselines, ratios

from paper import overall, pictures
from paper.section import Picture, Section, Table

NAME = "cost"
TITLE = "What capacity costs"
PAPER = ("An NVLink machine costs 10 to 100 times as much as one with RDMA; where 128 to 512 GB more are needed, "
         "memory over RDMA gives the most capacity for its price.")
PRICES = pathlib.Path(__file__).with_name("prices.json")


@dataclass(frozen=True)
class Option:
    """A way to have more memory. `steps`: (up to GiB, fixed price, price per GiB); more than the last is not to be had."""

    name: str
    speed: str  # the baseline that runs as fast as a job with it
    steps: tuple

    def price(self, gib):
        """Of the cheapest step that is large enough; None where there is none."""
        return min((fixed + per_gib * gib for up_to, fixed, per_gib in self.steps if gib <= up_to), default=None)


@dataclass(frozen=True)
class Prices:
    note: str
    currency: str
    capacities_gib: tuple
    options: tuple[Option, ...]

    @staticmethod
    def read(path):
        """The file's fields are those of prices.json."""
        try:
            fields = json.loads(pathlib.Path(path).read_text())
            options = [Option(option["name"], option["speed"],
                              tuple((step["up_to_gib"], step["fixed"], step["per_gib"]) for step in option["steps"]))
                       for option in fields["options"]]
            return Prices(fields["note"], fields["currency"], tuple(fields["capacities_gib"]), tuple(options))
        except (OSError, KeyError, TypeError, json.JSONDecodeError) as error:
            raise ValueError(f"{path} is no file of prices ({error!r}); write it as {PRICES} is written") from error


def speeds(overall_runs):
    """{baseline: its speed relative to the oracle's}, geometric means over the workloads; without measurements nothing."""
    spreads = {name: overall.against_fargraph(overall_runs, name) for name in (baselines.ORACLE, baselines.ORIGINAL)}
    if not all(spreads.values()):
        return {}
    of_fargraph, of_original = (ratios.geometric_mean(spread.median for spread in spreads[name].values()) for name in spreads)
    return {baselines.ORACLE: 1.0, baselines.FARGRAPH: of_fargraph, baselines.ORIGINAL: of_fargraph / of_original}


def price_table(prices):
    rows = [[str(gib), *(_text(option.price(gib)) for option in prices.options)] for gib in prices.capacities_gib]
    return Table("cost", f"{prices.currency} for so many GiB more", ["GiB", *(option.name for option in prices.options)], rows)


def _text(price):
    return f"{price:,.0f}" if price is not None else "-"


def per_thousand(prices, found):
    """{option: [(GiB, GiB times speed for a thousand)]}; without speeds GiB alone."""
    return {option.name: [(gib, 1000 * gib * found.get(option.speed, 1.0) / price) for gib in prices.capacities_gib
                          if (price := option.price(gib))] for option in prices.options}


def best_table(prices, found):
    curves = per_thousand(prices, found)
    rows = []
    for gib in prices.capacities_gib:
        here = {name: dict(points)[gib] for name, points in curves.items() if gib in dict(points)}
        rows.append([str(gib), *(f"{here[name]:,.1f}" if name in here else "-" for name in curves), max(here, key=here.get)])
    what = "GiB, times the speed relative to all local," if found else "GiB"
    return Table("cost-effectiveness", f"{what} for 1000 {prices.currency}", ["GiB", *curves, "most"], rows)


def make(prices, overall_runs):
    found = speeds(overall_runs)
    measured = ", ".join(f"{name} {speed:.2f}" for name, speed in found.items())
    said = f"Speeds relative to all local, measured: {measured}." if found else (
        "Speeds were not measured: evaluation/run overall does that.")
    what = f"GiB{' x speed' * bool(found)} for 1000 {prices.currency}"
    return Section(NAME, TITLE, PAPER, [said], [price_table(prices), best_table(prices, found)],
                   [Picture("cost", f"What 1000 {prices.currency} buy.",
                            lambda: pictures.curves(per_thousand(prices, found), "GiB more", what))],
                   f"Prices: {prices.note} Speeds are geometric means of the overall table; a job on an SSD is as fast as the "
                   "original.")
