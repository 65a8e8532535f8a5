"""Prints the table of deploy/quickstart from FOLDER/KERNEL.local.json and FOLDER/KERNEL.far.json.

usage: quickstart_table.py FOLDER KERNEL...
"""

import json
import pathlib
import statistics
import sys

ROW = "{:<9} {:<9} {:<9} {:>9} {:>7} {:>12} {:>11}  {}"


def median_seconds(run):
    return statistics.median(run["trial_seconds"])


def row(kernel, run, local):
    """One line of the table; `ratio` is the time against the same job with every edge local."""
    seconds = median_seconds(run)
    far = run["far_ratio"] > 0
    fetched = run["bytes_fetched"]
    peak = run["link_peak_bytes_per_second"]
    share = f"{fetched / run['seconds'] / peak:.0%}" if far and peak else "-"  # both of the last trial
    return ROW.format(
        kernel,
        f"{run['far_ratio']:.0%} far" if far else "all local",
        run["transport"] if far else "-",
        f"{seconds:.3f} s",
        f"{seconds / median_seconds(local):.2f}",
        f"{fetched / 2**20:.1f} MiB" if far else "-",
        share,
        "yes" if run["verified"] else "NO",
    )


def main():
    folder = pathlib.Path(sys.argv[1])
    print(ROW.format("kernel", "edges", "transport", "time", "ratio", "over link", "of its peak", "verified"))
    for kernel in sys.argv[2:]:
        local, far = (json.loads((folder / f"{kernel}.{placement}.json").read_text()) for placement in ("local", "far"))
        for run in (local, far):
            print(row(kernel, run, local))


main()
