"""Flags that several commands of this folder have."""

import argparse
import shlex

from harness import machine, programs, ways
from harness.graphs import Graph
from harness.host.slow_device import SlowDevice


class Formatter(argparse.ArgumentDefaultsHelpFormatter, argparse.RawDescriptionHelpFormatter):
    """The description as it is written, and every flag with its default."""


def measurement_parser(description, output):
    """Of whatever is measured in rounds."""
    made = argparse.ArgumentParser(description=description, formatter_class=Formatter)
    made.add_argument("--rounds", type=int, default=7,
                      help="in each of which everything runs once; 0 with --resume prints earlier ones")
    made.add_argument("--patience", type=float, default=30, metavar="SECONDS",
                      help="to wait before a run while other programs use more than a tenth of the processors")
    made.add_argument("--resume", action="store_true", help="add the trials to those that the .json already has")
    made.add_argument("--output", default=output, help="the file to write, without its ending: .json, and .svg if there is a picture")
    return made


def parser(description, output):
    """Of what runs kernels on graphs."""
    made = measurement_parser(description, output)
    made.add_argument("--graph", dest="graphs", action="append", required=True, metavar="NAME=DIR", type=graph,
                      help="a converted graph and its name in tables; repeat for more")
    made.add_argument("--kernels", type=names, default=[], help="such as bfs,pagerank; [] are all")
    made.add_argument("--trials", type=int, default=3,
                      help="of each run, in one process; their median is the round's time, for the first pays for "
                           "memory and threads that are used for the first time; caches have what it brought of far edges")
    made.add_argument("--iterations", type=int, default=5, help="of pagerank, whose time is that of one")
    made.add_argument("--precision", default="single", help="of our floating point; GAPBS has single")
    made.add_argument("--sources", type=int, default=4, help="vertices that searches begin at, in turn")
    made.add_argument("--flags", type=shlex.split, default=[], help="more flags for every fargraph run")
    made.add_argument("--launcher", type=shlex.split, default=[],
                      help="words before every timed command, such as 'numactl --interleave=all'")
    return made


def add_baseline_flags(made):
    """Where far edges and swapped pages go."""
    made.add_argument("--transport", default="shm", choices=["shm", "tcp", "verbs"], help="to the memory node on this host")
    made.add_argument("--swap_folder", default=".", metavar="DIR", help="on a local disk, for the swap file")
    made.add_argument("--swap_device", metavar="DEVICE", help="instead of a file; it has been prepared with mkswap")


def graph(text):
    try:
        return Graph.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def slow_device(text):
    try:
        return SlowDevice.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def names(text):
    """A list with commas between."""
    return text.split(",")


def numbers(text):
    return [float(word) for word in text.split(",")]


def whole_numbers(text):
    return [int(word) for word in text.split(",")]


def chosen_kernels(arguments):
    """Those asked for, or all that the built command has."""
    return arguments.kernels or programs.kernels()


def description(arguments, *names):
    """The machine, and what the flags of these names and of all kernels' runs say: what other values were measured with is
    not to be compared. Not the trials, of which a kernel that takes seconds may have fewer than others in the same file."""
    given = {name: vars(arguments).get(name) for name in (*names, "iterations", "precision", "flags", "launcher")}
    said = {name: value for name, value in given.items() if value not in (None, []) and value is not False}
    return {**machine.describe(), "settings": {name: shlex.join(value) if isinstance(value, list) else str(value)
                                               for name, value in said.items()}}


def settings(arguments, launcher=()):
    """`launcher` comes before the user's."""
    return ways.Settings(arguments.iterations, arguments.trials, arguments.precision, arguments.patience,
                         (*launcher, *arguments.launcher))


def capacity(arguments, uploads=1):
    """Room on a memory node for every graph, whole: the far set of a large far ratio contains those of smaller ones."""
    graph_bytes = sum(graph.bytes() for graph in arguments.graphs)
    return f"{64 + uploads * graph_bytes * 5 // 4 // 2**20}MiB"


def add_trace_flags(made):
    """Those of generated block traces."""
    made.add_argument("--requests", type=int, default=200000, help="of a generated trace")
    made.add_argument("--size", type=int, default=1024, metavar="MIB", help="of all units of a generated trace together")
    made.add_argument("--units", type=int, default=2, help="of a generated trace (ASUs)")
    made.add_argument("--seed", type=int, default=1, help="another seed is another trace")


def unit_bytes(arguments):
    """Of a unit of a generated trace."""
    if arguments.units < 1 or arguments.size < arguments.units:
        raise ValueError(f"--size={arguments.size} --units={arguments.units}: a unit has at least 1 MiB")
    return arguments.size * 2**20 // arguments.units // 4096 * 4096
