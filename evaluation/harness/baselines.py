"""What Fargraph is compared with: the same kernels on the same graph with the same memory, their edges elsewhere."""

import contextlib
import dataclasses
import functools
import json
import os

from harness import memory_budget, programs, ways
from harness.host import swap
from harness.host.memory_cgroup import MemoryCgroup

ORACLE, ORIGINAL, SWAP, FASTSWAP, PAGE, FARGRAPH = "oracle", "original", "swap", "fastswap", "page", "fargraph"
NAMES = (ORACLE, ORIGINAL, SWAP, FASTSWAP, PAGE, FARGRAPH)
SWAPPING = (SWAP, FASTSWAP)
WITHIN_A_BUDGET = (FARGRAPH, ORIGINAL, PAGE)
PAGED_RUN = programs.of_evaluation("paged_run")
READ_BYTES = 128 << 10  # what the kernel reads ahead at a time where a mapped file is read in order
SWAP_GRAPHS, SWAP_MORE_BYTES = 3, 256 << 20  # room for a job's arrays
UPLOADS = 3  # on a memory node: before Fargraph's chunks are of one size, and what is paged
USAGE, WRONG_ANSWER = 2, 9  # exit codes


class SwappingRun(ways.OwnRun):
    """Its report says what was swapped in, to load the graph as well."""

    def run(self, case, source, settings):
        before = swap.bytes_in()
        seconds, report = super().run(case, source, settings)
        return seconds, {**report, "bytes_swapped_in": swap.bytes_in() - before}


@dataclasses.dataclass(frozen=True)
class Placement:
    """How much of the edges is far, and how they are reached."""

    far_ratio: float
    transport: str
    tier_flags: tuple[str, ...]  # of the memory nodes
    flags: tuple[str, ...] = ()  # of all runs

    def run(self, name):
        """A baseline without its limit."""
        if name == ORIGINAL:
            disk = (ways.ssd_dirs_flag([ways.GRAPH]), "--buffers=1", f"--chunk_size={READ_BYTES >> 10}KiB")
            made = ways.far_run(disk, ways.SSD, self.far_ratio, self.flags)
        elif name in (FARGRAPH, PAGE):
            made = ways.far_run(self.tier_flags, self.transport, self.far_ratio, self.flags)
        elif name == SWAP:
            made = SwappingRun(name, self.flags)
        else:
            made = ways.OwnRun(name, self.flags)
        command = (PAGED_RUN,) if name == PAGE else made.command
        return dataclasses.replace(made, name=name, command=command)


def why_not(name):
    """One sentence on what stands against it here; empty if nothing does."""
    if name == FASTSWAP and not swap.fastswap_is_loaded():
        return f"{name}: this kernel has no Fastswap (its module is not loaded), which needs a Linux that is patched for it"
    if name == FASTSWAP and not swap.fastswap_is_far():
        return f"{name}: Fastswap swaps to local memory here (fastswap_dram); load its module fastswap_rdma"
    if name == SWAP and swap.fastswap_is_loaded():
        return f"{name}: Fastswap is loaded and takes the pages before the disk gets them; that baseline is {FASTSWAP}"
    return _why_no_pages() if name == PAGE else ""


@functools.cache
def _why_no_pages():
    """paged_run asks the host before it reads what it shall do."""
    try:
        programs.run([PAGED_RUN])
    except programs.Failed as error:
        return "" if error.exit_code == USAGE else f"{PAGE}: {error}"
    return ""


def verify(run, case, source, settings):
    """Lets the run without its limit compare its answer with a serial one that is computed anew from the files, and returns
    its report. It also leaves the far edges on the memory nodes and the files in the page cache, charged to no cgroup."""
    once = dataclasses.replace(settings, trials=1)
    return dataclasses.replace(run, flags=(*run.flags, "--verify")).run(case, source, once)[1]


@dataclasses.dataclass(frozen=True)
class Prepared:
    """A case whose baselines were verified."""

    ways: list
    limit_bytes: int


def prepare(case, names, placement, source, settings, stack, limit_bytes=None):
    """The runs by these names, all but the oracle in cgroups with the same limit; without one it is what those need that
    place their edges within a budget. `stack` removes the cgroups."""
    runs = {name: placement.run(name) for name in dict.fromkeys([*names, FARGRAPH])}
    reports = {name: verify(run, case, source, settings) for name, run in runs.items()}
    # Chunks of another size would be another upload, whose pages may be charged to the job.
    pinned = (*runs[FARGRAPH].flags, f"--chunk_size={reports[FARGRAPH]['chunk_bytes']}B")
    runs[FARGRAPH] = dataclasses.replace(runs[FARGRAPH], flags=pinned)
    if not limit_bytes:
        able_without_swap = [runs[name] for name in WITHIN_A_BUDGET if name in runs]
        limit_bytes = memory_budget.needed(able_without_swap, case, source, settings,
                                           planned_peak(runs[FARGRAPH], case, source, settings))
    return Prepared([runs[name] if name == ORACLE else _limited(runs[name], case, limit_bytes, stack) for name in names],
                    limit_bytes)


def planned_peak(run, case, source, settings):
    argv = run.argv(case, source, settings)
    return json.loads(programs.run([argv[0], "plan", *argv[2:]])[0])["peak_memory_bytes"]


def _limited(run, case, limit_bytes, stack):
    group = stack.enter_context(MemoryCgroup(
        f"fargraph-{os.getpid()}-{case.kernel}-{case.graph.name}-{run.name}-{run.far_ratio:g}-{limit_bytes}"))
    return run.within(group.limit(limit_bytes, swap=run.name in SWAPPING).launcher)


def refuse(names):
    """Ends with one sentence where one of them cannot be had."""
    for reason in filter(None, map(why_not, names)):
        raise programs.Failed(reason)


def prepare_or_leave_out(case, *arguments):
    """Prepared and "", or None and why the case cannot run. A wrong answer ends everything."""
    try:
        return prepare(case, *arguments), ""
    except programs.Failed as error:
        if error.exit_code == WRONG_ANSWER:
            raise
        return None, f"left out: {case}: {error}"


@contextlib.contextmanager
def swap_for(names, arguments):
    """Turns on what the baselines need; gives a word on it for the report, or None where none is needed."""
    if not set(names) & set(SWAPPING):
        yield None
        return
    fastswap = "Fastswap over RDMA, before " if swap.fastswap_is_loaded() else ""
    if arguments.swap_device:
        with swap.swap_device(arguments.swap_device) as path:
            yield f"{fastswap}{path}, {swap.medium(path)}"
    else:
        size_bytes = SWAP_GRAPHS * max(graph.bytes() for graph in arguments.graphs) + SWAP_MORE_BYTES
        with swap.swap_file(arguments.swap_folder, size_bytes):
            yield f"{fastswap}a file of {size_bytes >> 20} MiB on the local disk"
