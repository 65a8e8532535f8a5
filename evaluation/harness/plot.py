"""Pictures of what was measured; the end of a file's name says PNG or SVG. Without matplotlib there are none, only a word
on how to get them."""

import functools
import itertools
import sys
import textwrap

from harness.sweeps import TUNED

try:
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
except ImportError:
    pyplot = None


def _picture(draw):
    """Of a function whose first argument is the file to write and whose last is what to draw: it says so where nothing is or
    can be drawn."""
    @functools.wraps(draw)
    def draw_or_say(path, *arguments):
        if not arguments[-1]:
            print(f"{path} was not drawn: nothing that it shows was measured", file=sys.stderr)
        elif pyplot:
            draw(path, *arguments)
        else:
            print(f"{path} was not drawn: python3-matplotlib is missing; install it by "
                  "deploy/install_packages evaluation/packages.txt", file=sys.stderr)
    return draw_or_say


def extremes(spreads):
    """Their distances from the medians, as matplotlib wants them."""
    return [[spread.median - spread.least for spread in spreads], [spread.most - spread.median for spread in spreads]]


@_picture
def ratio_plot(path, title, cases, series):
    """One point with its extremes for every case and series: {label: {case: Spread}}; 1 is as fast as."""
    figure, axes = pyplot.subplots(figsize=(max(6, 0.55 * len(cases) + 3), 5), layout="constrained")
    for index, (label, spreads) in enumerate(series.items()):
        shift = 0.6 * ((index + 0.5) / len(series) - 0.5)
        places = [place + shift for place, case in enumerate(cases) if case in spreads]
        present = [spreads[case] for case in cases if case in spreads]
        axes.errorbar(places, [spread.median for spread in present], yerr=extremes(present), fmt="o", markersize=4,
                      capsize=2, label=label)
    axes.axhline(1, color="black", linewidth=0.8)
    axes.set_yscale("log", base=2)
    axes.yaxis.set_major_formatter("{x:g}")
    axes.set_xticks(range(len(cases)), [" ".join(case) for case in cases], rotation=60, ha="right")
    axes.set_ylabel("ratio of times")
    axes.grid(axis="y", alpha=0.3)
    axes.legend(fontsize="small")
    _save(figure, path, title, 90)


@_picture
def sweep_plot(path, title, sweep, curves):
    """A panel for every kernel and graph of {(kernel, graph): sweeps.Curve}: the duration over the values, dashed the tuned
    one's, and where it matters, in bars, what was fetched."""
    kernels, graphs = (list(dict.fromkeys(names)) for names in zip(*curves))
    figure, panels = pyplot.subplots(len(kernels), len(graphs), squeeze=False, layout="constrained",
                                     figsize=(4 * len(graphs) + 1, 2.6 * len(kernels) + 1))
    for axes, case in zip(panels.flat, itertools.product(kernels, graphs)):
        if case in curves:
            _sweep_panel(axes, sweep, curves[case])
            axes.set_title(" on ".join(case), fontsize="small")
        else:
            axes.set_visible(False)
    figure.supxlabel(sweep.label, fontsize="small")
    figure.supylabel("seconds" + f", and in bars bytes fetched / {sweep.whole}" * sweep.fetches, fontsize="small")
    _save(figure, path, title, 50 * len(graphs))


def _sweep_panel(axes, sweep, curve):
    names = [name for name in map(sweep.way_name, sweep.values) if name in curve.times]
    spreads = [curve.seconds(name) for name in names]
    axes.errorbar(names, [spread.median for spread in spreads], yerr=extremes(spreads), marker="o", markersize=3, capsize=2)
    if TUNED in curve.times:
        axes.axhline(curve.seconds(TUNED).median, linestyle="--", color="black", linewidth=0.8)
    axes.set_ylim(bottom=0)
    axes.tick_params(labelsize="x-small")
    axes.tick_params(axis="x", rotation=60)
    axes.grid(axis="y", alpha=0.3)
    if sweep.fetches:
        shares = [curve.fetched[name] for name in names]
        fetched = axes.twinx()
        fetched.bar(names, shares, color="gray", alpha=0.25)
        fetched.set_ylim(0, 1.05 * max(1, *shares))
        fetched.yaxis.set_major_formatter(matplotlib.ticker.PercentFormatter(1))
        fetched.tick_params(labelsize="x-small")


def _save(figure, path, title, width):
    figure.suptitle(textwrap.fill(title, width), fontsize="small")
    figure.savefig(path)
    pyplot.close(figure)
