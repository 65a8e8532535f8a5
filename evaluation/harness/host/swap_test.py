import pathlib
import signal
import subprocess
import sys
import time

import pytest

from harness.host import permissions, swap
from harness.programs import Failed

SIZE_BYTES = 1 << 20
SWAP_AND_WAIT = f"""
import sys, time
from harness import programs
from harness.host import swap
def main():
    with swap.swap_file(sys.argv[1], {SIZE_BYTES}) as path:
        print(path, flush=True)
        time.sleep(600)
programs.run_main("test", main)
"""


@pytest.fixture(scope="module", autouse=True)
def permitted():
    if reason := permissions.why_no_swap_file():
        pytest.skip(reason)


def wait_until_off(path):
    deadline = time.monotonic() + 60
    while path in swap.active() or path.exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_file_is_the_first_swap_and_gone_afterwards(tmp_path):
    with swap.swap_file(tmp_path, SIZE_BYTES) as path:
        priorities = swap.active()
        assert all(priorities[path] > priorities[other] for other in priorities if other != path)
    assert path not in swap.active()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_nothing_is_left_however_the_program_ends(tmp_path, number):
    with subprocess.Popen([sys.executable, "-c", SWAP_AND_WAIT, str(tmp_path)], stdout=subprocess.PIPE, text=True,
                          cwd=pathlib.Path(__file__).parents[2]) as program:
        path = pathlib.Path(program.stdout.readline().strip())
        assert path in swap.active()
        program.send_signal(number)
    wait_until_off(path)


def test_a_prepared_device_is_left_as_it_was(tmp_path):
    device = tmp_path / "device"
    device.write_bytes(bytes(SIZE_BYTES))
    device.chmod(0o600)
    with pytest.raises(Failed, match="swap cannot be turned on .*a prepared device"):
        with swap.swap_device(device):
            pass
    subprocess.run(["mkswap", device], check=True, capture_output=True)
    with swap.swap_device(device):
        assert device in swap.active()
        with swap.swap_device(device):  # as if the operator had turned it on
            pass
        assert device in swap.active()
    assert device not in swap.active()
    assert device.exists()


def test_a_file_that_cannot_be_swapped_to_leaves_nothing():
    folder = pathlib.Path("/dev/shm")
    with pytest.raises(Failed, match="a file on a local disk, not on tmpfs"):
        with swap.swap_file(folder, SIZE_BYTES):
            pass
    assert not list(folder.glob("fargraph-swap-*"))


@pytest.mark.parametrize("where", ["device", "device/nvme0"])
def test_a_device_far_away_is_named_by_how_it_is_reached(tmp_path, monkeypatch, where):
    monkeypatch.setattr(swap, "BLOCK_DEVICES", tmp_path)
    controller = tmp_path / "nvme0n1" / where
    controller.mkdir(parents=True)
    assert swap.medium(pathlib.Path("/dev/nvme0n1")) == "block device"
    (controller / "transport").write_text("rdma\n")
    assert swap.medium(pathlib.Path("/dev/nvme0n1")) == "nvme over rdma"
