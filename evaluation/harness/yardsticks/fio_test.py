import json

import pytest

from harness.yardsticks import fio


def test_the_command_reads_all_files_and_writes_none():
    command = fio.argv(["/a", "/b:c"], "randread", 512, 64)
    assert "--filename=/a:/b\\:c" in command
    assert {"--readonly", "--rw=randread", "--bs=512", "--iodepth=64", "--direct=1"} <= set(command)


@pytest.mark.parametrize("buffers, depth", [(1, 2), (2, 2), (8, 8), (9, 8)])
def test_as_much_is_in_flight_as_a_job_has(buffers, depth):
    assert fio.depth_of({"buffers": buffers, "threads": 2}) == depth


def test_the_rates_are_read():
    assert fio.rates_in(json.dumps({"jobs": [{"read": {"bw_bytes": 5, "iops": 2.5}}]})) == (5, 2.5)


@pytest.mark.parametrize("output", ["", "fio: bad", "{}"])
def test_output_without_figures_is_an_error(output):
    with pytest.raises(ValueError, match="no figures"):
        fio.rates_in(output)


def test_reads_between_two_measured_sizes_take_a_time_between():
    asked = []

    def rate(request_bytes):
        asked.append(request_bytes)
        return 1 / (10 + request_bytes / 4096)

    known = {}
    reads = fio.RandomReads(rate, known)
    assert reads.seconds(4096) == pytest.approx(11)
    assert reads.seconds(8192) == pytest.approx(12)
    assert reads.seconds(7168) == pytest.approx(11.75)
    assert reads.seconds(6144.0) == pytest.approx(11.5)
    assert asked == [4096, 8192], "each size is measured once, and none that nobody needs"
    assert known == {"4096": pytest.approx(11), "8192": pytest.approx(12)}
    assert reads.seconds(1024) == pytest.approx(11), "devices read whole blocks"


def test_what_is_known_is_not_measured_again():
    assert fio.RandomReads(None, {"4096": 11, "8192": 12}).seconds(6144) == 11.5
