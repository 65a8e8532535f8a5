"""Pictures of what was measured; the end of a file's name says PNG or SVG."""

import textwrap

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402


def _bars(spreads):
    """Distances of the extremes from the medians, as matplotlib wants them."""
    return [[spread.median - spread.least for spread in spreads], [spread.most - spread.median for spread in spreads]]


def ratio_plot(path, title, cases, series):
    """One point with its extremes for every case and series: {label: {case: Spread}}; 1 is as fast as."""
    figure, axes = pyplot.subplots(figsize=(max(6, 0.55 * len(cases) + 3), 5), layout="constrained")
    for index, (label, spreads) in enumerate(series.items()):
        shift = 0.6 * ((index + 0.5) / len(series) - 0.5)
        places = [place + shift for place, case in enumerate(cases) if case in spreads]
        present = [spreads[case] for case in cases if case in spreads]
        axes.errorbar(places, [spread.median for spread in present], yerr=_bars(present), fmt="o", markersize=4,
                      capsize=2, label=label)
    axes.axhline(1, color="black", linewidth=0.8)
    axes.set_yscale("log", base=2)
    axes.yaxis.set_major_formatter("{x:g}")
    axes.set_xticks(range(len(cases)), [" ".join(case) for case in cases], rotation=60, ha="right")
    axes.set_ylabel("ratio of times")
    _finish(figure, axes, path, title)


def sweep_plot(path, title, label, values, series, logarithmic=False):
    """One line per series over the values of what was swept: {name: [Spread or None per value]}."""
    figure, axes = pyplot.subplots(figsize=(7, 5), layout="constrained")
    for name, spreads in series.items():
        known = [(value, spread) for value, spread in zip(values, spreads) if spread]
        present = [spread for _, spread in known]
        axes.errorbar([value for value, _ in known], [spread.median for spread in present], yerr=_bars(present),
                      marker="o", markersize=4, capsize=2, label=name)
    if logarithmic:
        axes.set_xscale("log", base=2)
        axes.set_xticks(values, [f"{value:g}" for value in values])
        axes.minorticks_off()
    axes.set_ylim(bottom=0)
    axes.set_xlabel(label)
    axes.set_ylabel("time against the first value")
    _finish(figure, axes, path, title)


def _finish(figure, axes, path, title):
    axes.grid(axis="y", alpha=0.3)
    axes.legend(fontsize="small")
    axes.set_title(textwrap.fill(title, 90), fontsize="small")
    figure.savefig(path)
    pyplot.close(figure)
