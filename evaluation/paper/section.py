"""What comes of an experiment: a section of the report, with tables and pictures."""

import csv
import io
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Table:
    """Cells are text; those of a column are numbers if each begins with a digit, or is missing (-)."""

    name: str     # of its files
    caption: str
    header: list[str]
    rows: list[list[str]]

    def is_numeric(self, column):
        return all(row[column][:1].isdigit() or row[column].lstrip("-+")[:1].isdigit() or row[column] in ("", "-")
                   for row in self.rows)

    def markdown(self):
        def line(cells):
            return f"| {' | '.join(cells)} |"
        rule = ["---:" if self.is_numeric(column) else "---" for column in range(len(self.header))]
        return "\n".join([line(self.header), line(rule), *map(line, self.rows)])

    def csv(self):
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([self.header, *self.rows])
        return text.getvalue()


@dataclass(frozen=True)
class Picture:
    """`draw` returns a figure of matplotlib's, or None where there is nothing to draw."""

    name: str  # of its files
    caption: str
    draw: Callable


@dataclass(frozen=True)
class Section:
    name: str
    title: str
    paper: str             # what the paper shows
    found: list[str]       # what was found here, a sentence each
    tables: list[Table]
    pictures: list[Picture]
    how: str               # what is measured here, and in what it differs from the paper
    left_out: list[str] = field(default_factory=list)


def seconds(value):
    return f"{value:.4f}" if value < 0.1 else f"{value:.3f}" if value < 10 else f"{value:.1f}"


def factor(spread):
    """A ratio's median, and its extremes where rounds differ."""
    extremes = "" if spread.least == spread.most else f" ({spread.least:.1f}-{spread.most:.1f})"
    return times(spread.median) + extremes


def times(value):
    return f"{value:.1f}x" if value >= 1.95 else f"{value:.2f}x"


def percent(value):
    return f"{value:.0%}"


def percent_range(values):
    """Such as 7% to 19%, or 14% alone."""
    return " to ".join(dict.fromkeys(percent(value) for value in (min(values), max(values))))


def count(value):
    """Such as 1,049 K."""
    return f"{value / 1e6:,.1f} M" if value >= 1e7 else f"{value / 1e3:,.0f} K"
