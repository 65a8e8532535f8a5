import pytest

from harness.programs import Failed
from harness.yardsticks import read_bandwidth

OUTPUT = """Device not recognized to implement inline feature. Disabling it
---------------------------------------------------------------------------------------
 #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]
 65536      2704             0.00               0.72   		   0.001351
---------------------------------------------------------------------------------------
"""


def test_the_average_is_read():
    assert read_bandwidth.rate_in(OUTPUT) == pytest.approx(0.09e9)


def test_output_without_figures_is_an_error():
    with pytest.raises(Failed, match="no figures"):
        read_bandwidth.rate_in("Couldn't connect")
