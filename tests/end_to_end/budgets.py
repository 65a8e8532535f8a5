"""Jobs within a budget of memory, in a cgroup that has no more."""

import json
import re

import pytest

from commands import fargraph, run_job
from memory_cgroup import budget

MIB = 1 << 20
PROCESS_BYTES = 64 * MIB
NOISE_BYTES = 3 * MIB  # of one process against another


def smallest_budget(kernel, directory, *flags):
    refused = fargraph("run", kernel, directory, "--local_memory=1KiB", *flags, check=False)
    assert refused.returncode == 7
    return int(re.search(r"--local_memory=(\d+)B", refused.stderr.strip())[1])


def run_within(budget_bytes, kernel, directory, *flags, env=None):
    """Runs a job in a cgroup that has its budget and room for a process; returns its report."""
    with budget(budget_bytes + PROCESS_BYTES) as groups:
        done = fargraph("run", kernel, directory, f"--local_memory={budget_bytes}B", "--json=-", *flags, check=False,
                        preexec_fn=groups.enter, env=env)
        assert groups.kills() == 0
        assert done.returncode == 0, done.stderr
        report = json.loads(done.stdout)
        report["huge_pages_peak"] = groups.huge_pages_peak()
        return report


def answer(report):
    """What a job found out; what depends on the order in which floating-point numbers are added is left out."""
    fields = list(report)[list(report).index("verified") + 1:]
    return {field: report[field] for field in fields if field not in ("top10", "delta", "huge_pages_peak")}


def check_budgets(kernel, graph, tiny, parts, output, *flags):
    """Of the memory between its smallest budget with these flags and what it takes all local the job gets these parts, and
    writes its answer to `output`. What a process takes anyway is measured on the graph `tiny`."""
    far = [*flags, f"--output={output}"]
    process_bytes = run_job(kernel, tiny, "--far_ratio=1", *far)["peak_memory_bytes"]
    assert process_bytes < PROCESS_BYTES
    oracle = run_job(kernel, graph)
    smallest = smallest_budget(kernel, graph, *far)
    for part in parts:
        budget_bytes = int(smallest + part * (oracle["peak_memory_bytes"] - smallest))
        report = run_within(budget_bytes, kernel, graph, *far)
        print(f"{kernel} {report['transport']} within {budget_bytes / MIB:.1f} MiB: far {report['far_ratio']:.3f}, "
              f"peak {report['peak_memory_bytes'] / MIB:.1f} MiB, process {process_bytes / MIB:.1f} MiB")
        assert report["peak_memory_bytes"] <= budget_bytes + process_bytes + NOISE_BYTES
        assert (report["far_ratio"] == 1) == (part == 0)
        assert answer(report) == {field: pytest.approx(value, rel=1e-6) for field, value in answer(oracle).items()}
        assert output.read_bytes().count(b"\n") == 1 + oracle["vertices"]
