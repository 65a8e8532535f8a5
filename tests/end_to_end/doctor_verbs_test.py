"""What doctor says of the testbed's RDMA device, and where that is misused."""

import json
import os
import pathlib
import subprocess

import pytest

from commands import BIN, fargraph, memory_nodes

HOST = os.environ.get("FARGRAPH_TEST_HOST", "127.0.0.1")

pytestmark = pytest.mark.skipif(not pathlib.Path("/sys/class/infiniband/rxe0").exists(),
                                reason="needs the testbed's RDMA device: tests/testbed/suites/host")


def findings(report, node):
    return {check["check"]: check for check in report["checks"] if check["node"] == node}


@pytest.fixture(name="token_flag")
def fixture_token_flag(tmp_path):
    """Beyond loopback a memory node wants a token."""
    path = tmp_path / "token"
    path.write_text("0123456789abcdef\n")
    path.chmod(0o600)
    return f"--token_file={path}"


def test_the_device_and_both_ends_of_the_link(token_flag):
    with memory_nodes(1, token_flag, host=HOST) as nodes:
        report = json.loads(fargraph("doctor", nodes, token_flag, "--transport=verbs", "--json").stdout)
    print(json.dumps(report, indent=1))
    assert report["problems"] == 0
    here = findings(report, "this host")
    assert here["RDMA device"]["value"] == "rxe0, port 1, RoCE"
    assert here["RDMA port"]["value"] == "rxe0/1 4: ACTIVE, Ethernet"
    assert here["GID"]["value"].startswith(f"{HOST} (index ")
    assert "RoCE v2, veth0, used)" in here["GID"]["value"]
    assert here["RDMA MTU"] == {"node": "this host", "check": "RDMA MTU", "level": "ok",
                                "value": "4096 of at most 4096 bytes", "mend": ""}
    assert here["read depth"]["value"] == "128 reads outstanding per queue pair, 128 answered"
    assert here["RDMA access"]["level"] == here["relaxed ordering"]["level"] == here["memlock"]["level"] == "ok"

    there = findings(report, nodes.partition("=")[2])
    assert there["data port"]["value"] == "64 KiB read over verbs, as asked"
    assert there["GID towards it"]["value"] == f"{HOST} on this host"
    assert there["MTU of both ends"]["value"] == "4096 bytes here (rxe0), 4096 there (rxe0)"
    assert there["read depth of both ends"]["value"].startswith("128: ")
    assert there["RDMA device"]["level"] == "ok"


def test_a_small_mtu():
    subprocess.run(["ip", "link", "set", "dev", "veth0", "mtu", "1500"], check=True)
    try:
        report = json.loads(fargraph("doctor", "--json").stdout)
    finally:
        subprocess.run(["ip", "link", "set", "dev", "veth0", "mtu", "9000"], check=True)
    mtu = findings(report, "this host")["RDMA MTU"]
    assert (mtu["level"], mtu["value"]) == ("warning", "1024 of at most 4096 bytes")
    assert mtu["mend"].startswith("ip link set dev veth0 mtu 9000")


def test_a_device_that_is_reached_within_its_own_link_only():
    def gid():
        return findings(json.loads(fargraph("doctor", "--transport=verbs", "--json").stdout), "this host")["GID"]

    subprocess.run(["ip", "-4", "address", "flush", "dev", "veth0"], check=True)
    try:
        warned = gid()
        subprocess.run(warned["mend"].replace("ADDRESS", HOST), shell=True, check=True)
        mended = gid()
    finally:
        subprocess.run(["ip", "address", "replace", f"{HOST}/24", "dev", "veth0"], check=True)
    assert warned["level"] == "warning"
    assert warned["value"].startswith("fe80::") and warned["value"].endswith(", RoCE v2, veth0, used)")
    assert warned["mend"] == "ip address add ADDRESS/24 dev veth0  # reached within its own link only"
    assert (mended["level"], mended["mend"]) == ("ok", "")
    assert mended["value"].startswith(f"{HOST} (index ")


def test_a_low_limit_on_locked_memory():
    done = subprocess.run(["setpriv", "--bounding-set=-ipc_lock", "--inh-caps=-ipc_lock",
                           "sh", "-c", 'ulimit -l 64 && exec "$0" doctor --json', BIN / "fargraph"],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 8
    assert findings(json.loads(done.stdout), "this host")["memlock"]["level"] == "problem"


def test_a_link_that_is_down():
    subprocess.run(["ip", "link", "set", "dev", "veth1", "down"], check=True)
    try:
        done = fargraph("doctor", "--json", check=False)
    finally:
        subprocess.run(["ip", "link", "set", "dev", "veth1", "up"], check=True)
    assert done.returncode == 8
    here = findings(json.loads(done.stdout), "this host")
    assert here["RDMA device"]["level"] == "problem"
    assert here["RDMA port"]["mend"] == "ip link set dev veth0 up"


def test_queues_for_asynchronous_io_that_are_used_up(tmp_path):
    limit = pathlib.Path("/proc/sys/fs/aio-max-nr")
    before = limit.read_text()
    limit.write_text("0")
    try:
        done = fargraph("doctor", "--json", f"--ssd_dirs={tmp_path}", check=False)
    finally:
        limit.write_text(before)
    assert done.returncode == 8
    queue = findings(json.loads(done.stdout), "this host")["asynchronous IO"]
    assert (queue["level"], queue["mend"]) == ("problem", "sysctl -w fs.aio-max-nr=1048576")
