import json

import pytest

from harness.host import own_loopback, permissions
from harness.programs import Failed, run


@pytest.fixture(name="end")
def fixture_end():
    if reason := permissions.why_no_own_loopback():
        pytest.skip(reason)
    with own_loopback.own_loopback() as end:
        yield end


def loopback(*launcher):
    return json.loads(run(["ip", "-details", "-json", "link", "show", "lo"], launcher)[0])[0]


@pytest.mark.parametrize("kib, size", [(64, 64 << 10), (256, 256 << 10), (512, 8 * 65535)])
def test_a_command_runs_with_segments_of_that_size(end, kib, size):
    shown = loopback(*end, *own_loopback.segments_of(kib))
    assert (shown["gso_max_size"], shown["gro_max_size"]) == (size, size)
    assert "UP" in shown["flags"]


def test_the_hosts_own_device_stays_as_it_is(end):
    before = loopback()
    loopback(*end, *own_loopback.segments_of(512))
    assert loopback() == before


def test_nothing_is_left_of_it():
    if reason := permissions.why_no_own_loopback():
        pytest.skip(reason)
    with own_loopback.own_loopback() as end:
        assert end[-1] in run(["ip", "netns", "list"])[0]
    assert end[-1] not in run(["ip", "netns", "list"])[0]


def test_a_kernel_without_ipv6_is_told_so(tmp_path, monkeypatch):
    monkeypatch.setattr(own_loopback, "IPV6", tmp_path / "if_inet6")
    with pytest.raises(Failed, match="no IPv6"):
        with own_loopback.own_loopback():
            pass
