import pytest

from harness import permissions


def test_a_graph_is_converted_in_a_cgroup(command, tmp_path):
    if reason := permissions.why_no_memory_cgroup():
        pytest.skip(reason)
    printed = command("conversion", "--scale=10", "--limit=256", folder=tmp_path).stdout.splitlines()
    assert [line.split()[0] for line in printed] == ["--order=input", "--order=degree"]
