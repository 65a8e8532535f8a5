"""How the report's pictures look. Of nothing there is none: None."""

import itertools

from harness.plot import extremes

try:
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot, ticker
except ImportError:
    pyplot = None

COLOURS = {"fargraph": "#1763a6", "by hand": "#1763a6", "with buffering": "#1763a6", "oracle": "#7a8794", "original": "#c26a1c",
           "swap": "#b3282d", "page": "#7d4698", "fastswap": "#8c564b", "tuned": "#1c8a4b"}
STYLE = {"font.size": 9, "axes.spines.top": False, "axes.spines.right": False, "axes.edgecolor": "#8a94a0", "axes.grid": True,
         "grid.color": "#e3e7eb", "axes.axisbelow": True, "legend.frameon": False, "svg.fonttype": "none",
         "font.family": ["DejaVu Sans"], "axes.titlesize": 9, "figure.constrained_layout.use": True}
WIDTH = 9.6  # inches; wider ones are scaled down in the page


def why_none():
    """Why there are no pictures; empty if there are."""
    return "" if pyplot else ("pictures were not drawn: python3-matplotlib is missing; install it by "
                              "deploy/install_packages evaluation/packages.txt")


def _colour(name, index):
    return COLOURS.get(name, f"C{index}")


def bars(cases, series, label, log=True):
    """A group of bars for each case, (kernel, graph), one of each series: {name: {case: Spread}}; 1 is as fast as."""
    if not any(series.values()):
        return None
    with pyplot.rc_context(STYLE):
        figure, axes = pyplot.subplots(figsize=(WIDTH, 3.6))
        width, foot = 0.8 / len(series), int(log)  # on a logarithmic axis bars stand on 1, or hang from it
        for index, (name, spreads) in enumerate(series.items()):
            places = [place + (index + 0.5) * width - 0.4 for place, case in enumerate(cases) if case in spreads]
            present = [spreads[case] for case in cases if case in spreads]
            axes.bar(places, [spread.median - foot for spread in present], width * 0.92, foot, label=name,
                     color=_colour(name, index), yerr=extremes(present), error_kw={"elinewidth": 0.8, "ecolor": "#444"})
        axes.axhline(1, color="#222", linewidth=0.9)
        if log:
            axes.set_yscale("log")
            axes.yaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}x"))
        axes.set_xticks(range(len(cases)), ["\n".join(case) for case in cases])
        axes.grid(axis="x", visible=False)
        axes.tick_params(axis="x", length=0)
        axes.set_ylabel(label)
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=len(series))
        return figure


def lines(panels, x_label, y_label, shares=False, doubling=False):
    """A panel for each (kernel, graph), with a line for each name: {(kernel, graph): {name: {x: Spread}}}. `shares`: x is in
    percent; `doubling`: x is on a logarithmic axis."""
    if not panels:
        return None
    with pyplot.rc_context(STYLE):
        kernels, graphs = (list(dict.fromkeys(names)) for names in zip(*panels))
        figure, grid = pyplot.subplots(len(kernels), len(graphs), squeeze=False, figsize=(WIDTH, 2.5 * len(kernels) + 0.6))
        for axes, case in zip(grid.flat, itertools.product(kernels, graphs)):
            if case in panels:
                _panel(axes, case, panels[case], shares, doubling)
            else:
                axes.set_visible(False)
        figure.supxlabel(x_label, fontsize=9)
        figure.supylabel(y_label, fontsize=9)
        found = {name: handle for axes in grid.flat for handle, name in zip(*axes.get_legend_handles_labels())}
        grid[0, 0].legend(found.values(), found.keys(), loc="lower left", bbox_to_anchor=(0, 1.1), ncols=max(1, len(found)))
        return figure


def _panel(axes, case, by_name, shares, doubling):
    for index, (name, curve) in enumerate(by_name.items()):
        spreads = list(curve.values())
        axes.errorbar(list(curve), [spread.median for spread in spreads], yerr=extremes(spreads), marker="o", markersize=4,
                      linewidth=1.4, elinewidth=0.8, label=name, color=_colour(name, index))
    axes.set_title(" on ".join(case))
    axes.set_ylim(bottom=0)
    if shares:
        axes.xaxis.set_major_formatter(ticker.PercentFormatter(1))
    if doubling:
        axes.set_xscale("log", base=2)
        axes.xaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}"))


def curves(series, x_label, y_label):
    """Lines on two logarithmic axes: {name: [(x, y)]}."""
    if not any(series.values()):
        return None
    with pyplot.rc_context(STYLE):
        figure, axes = pyplot.subplots(figsize=(WIDTH, 3.4))
        for name, points in series.items():
            axes.plot(*zip(*points), marker="o", markersize=3.5, linewidth=1.4, label=name)
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}"))
        axes.set_xlabel(x_label)
        axes.set_ylabel(y_label)
        axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
        return figure
