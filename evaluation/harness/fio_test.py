import json

import pytest

from harness import fio


def test_the_command_reads_all_files_and_writes_none():
    command = fio.argv(["/a", "/b:c"], "randread", 512, 64)
    assert "--filename=/a:/b\\:c" in command
    assert {"--readonly", "--rw=randread", "--bs=512", "--iodepth=64", "--direct=1"} <= set(command)


def test_the_rates_are_read():
    assert fio.rates_in(json.dumps({"jobs": [{"read": {"bw_bytes": 5, "iops": 2.5}}]})) == (5, 2.5)


@pytest.mark.parametrize("output", ["", "fio: bad", "{}"])
def test_output_without_figures_is_an_error(output):
    with pytest.raises(ValueError, match="no figures"):
        fio.rates_in(output)
