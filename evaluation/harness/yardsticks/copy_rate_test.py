import pytest

from harness.host import own_loopback, permissions
from harness.yardsticks.copy_rate import copy_rate


def test_a_copy_within_the_host_has_a_rate():
    assert 1e7 < copy_rate("127.0.0.1", seconds=0.05) < 1e12


def test_a_copy_over_a_loopback_device_of_its_own_has_one_too():
    if reason := permissions.why_no_own_loopback():
        pytest.skip(reason)
    with own_loopback.own_loopback() as end:
        assert 1e7 < copy_rate(own_loopback.ADDRESS, end, end, seconds=0.05) < 1e12
