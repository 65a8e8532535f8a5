import json

import pytest

from harness.host import permissions


def test_a_graph_is_converted_in_a_cgroup(command, tmp_path):
    if reason := permissions.why_no_memory_cgroup():
        pytest.skip(reason)
    printed = command("conversion", "--scale=10", "--limit=256", "--patience=0", folder=tmp_path).stdout.splitlines()
    assert [line.split()[0] for line in printed[1:]] == ["--order=input", "--order=degree"]
    written = json.loads((tmp_path / "conversion.json").read_text())
    assert [run["order"] for run in written["runs"]] == ["input", "degree"]
    assert written["machine"]["cores"] > 0 and written["machine"]["settings"]["limit"] == "256"
    assert all(f"--order={run['order']} within 256 MiB: {run['time']}" in printed for run in written["runs"])
