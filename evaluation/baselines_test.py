"""Every baseline on a tiny graph."""

import json
import pathlib
import subprocess

import pytest

from harness.host import permissions, swap
from harness.programs import commands

COMMAND = pathlib.Path(__file__).resolve().parent / "baselines"
NAMES = ("oracle", "original", "swap", "page", "fargraph")


@pytest.fixture
def measure(command, graphs, tmp_path):
    """Runs the command on kron10; returns what was printed and written."""
    if reason := permissions.why_no_memory_cgroup():
        pytest.skip(reason)
    commands.require_direct_io(graphs)

    def run(*arguments):
        done = command("baselines", *arguments, f"--graph=kron10={graphs / 'kron10'}", "--rounds=1", "--trials=1", "--sources=1",
                       "--patience=0", folder=tmp_path)
        return done.stdout, json.loads((tmp_path / "baselines.json").read_text())

    return run


def test_all_run_with_the_same_memory(measure, tmp_path):
    if reason := permissions.why_no_swap_file():
        pytest.skip(reason)
    printed, written = measure("--kernels=bfs,pagerank", f"--swap_folder={tmp_path}")
    assert written["left_out"] == []
    assert {(run["kernel"], run["way"]) for run in written["runs"]} == {
        (kernel, name) for kernel in ("bfs", "pagerank") for name in NAMES}
    for run in written["runs"]:
        expected = {"oracle": "local", "original": "ssd", "swap": "local", "page": "shm", "fargraph": "shm"}
        assert run["report"]["transport"] == expected[run["way"]]
        assert ("bytes_swapped_in" in run["report"]) == (run["way"] == "swap")
    assert len({run["report"]["reached"] for run in written["runs"] if run["kernel"] == "bfs"}) == 1
    assert set(written["machine"]["limit_bytes"]) == {"bfs on kron10", "pagerank on kron10"}
    assert "swap / fargraph" in printed
    assert "a file of " in written["machine"]["swap"]
    assert not any(tmp_path in path.parents for path in swap.active())
    assert not list(tmp_path.glob("fargraph-swap-*"))


def test_what_needs_no_swap_turns_none_on(measure):
    _, written = measure("oracle", "fargraph", "--transport=tcp", "--kernels=bfs")
    assert [run["report"]["transport"] for run in sorted(written["runs"], key=lambda run: run["way"])] == ["tcp", "local"]
    assert written["machine"]["swap"] is None


def test_a_resumed_measurement_keeps_the_limits_of_the_other_cases(measure):
    _, first = measure("fargraph", "--kernels=bfs")
    _, both = measure("fargraph", "--kernels=wcc", "--resume")
    assert set(both["machine"]["limit_bytes"]) == {"bfs on kron10", "wcc on kron10"}
    assert both["machine"]["limit_bytes"]["bfs on kron10"] == first["machine"]["limit_bytes"]["bfs on kron10"]


def test_a_prepared_device_is_swapped_to(measure, tmp_path):
    if reason := permissions.why_no_swap_file():
        pytest.skip(reason)
    device = tmp_path / "device"
    device.write_bytes(bytes(1 << 24))
    device.chmod(0o600)
    subprocess.run(["mkswap", device], check=True, capture_output=True)
    _, written = measure("swap", "--kernels=bfs", f"--swap_device={device}")
    assert written["machine"]["swap"] == f"{device}, block device"
    assert [run["way"] for run in written["runs"]] == ["swap"]


@pytest.mark.skipif(swap.fastswap_is_loaded(), reason="this kernel has Fastswap")
def test_fastswap_is_not_pretended(graphs, tmp_path):
    done = subprocess.run([COMMAND, "fastswap", f"--graph=kron10={graphs / 'kron10'}"], cwd=tmp_path,
                          capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("baselines: fastswap: this kernel has no Fastswap")
