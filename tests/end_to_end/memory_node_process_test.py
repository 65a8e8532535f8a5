"""The program fargraph-memory-node: how it starts, what it refuses, and that its end leaves nothing behind."""

import os
import re
import signal
import socket
import subprocess
from pathlib import Path

import pytest

PROGRAM = Path(os.environ["FARGRAPH_BIN_DIR"]) / "fargraph-memory-node"
LINE = re.compile(r"listening on (\S+):(\d+), capacity (.+) on (.+ pages.*), transports (.+)\n")


class Node:
    """A running memory node; its first line of output says where it listens."""

    def __init__(self, *flags, **popen):
        command = [PROGRAM, "--listen=127.0.0.1:0", "--capacity=16MiB", *flags]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **popen
        )
        self.line = self.process.stdout.readline()
        match = LINE.fullmatch(self.line)
        assert match, self.line + self.process.stderr.read()
        self.port = int(match[2])
        self.capacity, self.pages, self.transports = match[3], match[4], match[5].split(", ")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()

    def stop(self, number):
        self.process.send_signal(number)
        _, errors = self.process.communicate(timeout=30)
        return self.process.returncode, errors


def refusal(*flags, **run):
    """The exit code of a node that does not start, and its one sentence."""
    result = subprocess.run([PROGRAM, *flags], capture_output=True, text=True, timeout=60, **run)
    assert result.stdout == ""
    assert result.stderr.startswith("fargraph-memory-node: ")
    assert result.stderr.count("\n") == 1, result.stderr
    return result.returncode, result.stderr


def shared_files():
    return {entry.name for entry in Path("/dev/shm").iterdir()} if Path("/dev/shm").exists() else set()


def sockets_of(pid):
    """Inodes of the sockets that a process has open."""
    inodes = set()
    for entry in Path(f"/proc/{pid}/fd").iterdir():
        match = re.fullmatch(r"socket:\[(\d+)\]", os.readlink(entry))
        if match:
            inodes.add(match[1])
    return inodes


def listening_inodes():
    tables = [Path("/proc/net") / name for name in ("tcp", "tcp6", "unix")]
    return {word for table in tables if table.exists() for word in table.read_text().split()}


def token_file(folder, mode=0o600):
    path = folder / "token"
    path.write_text("s3cret\n")
    path.chmod(mode)
    return path


def test_states_address_capacity_pages_and_transports():
    with Node() as node:
        assert node.port > 0
        assert node.capacity == "16 MiB"
        assert {"shm", "tcp"} <= set(node.transports)
        socket.create_connection(("127.0.0.1", node.port), timeout=10).close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_with_nothing_left(number):
    before = shared_files()
    with Node() as node:
        sockets = sockets_of(node.process.pid)
        assert sockets & listening_inodes()
        code, errors = node.stop(number)
        assert (code, errors) == (0, "")
        assert not sockets & listening_inodes()
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", node.port), timeout=10)
    assert not {name for name in shared_files() - before if "fargraph" in name}


def test_a_client_that_says_nothing_does_not_delay_the_end():
    with Node() as node:
        with socket.create_connection(("127.0.0.1", node.port), timeout=10):
            assert node.stop(signal.SIGTERM)[0] == 0


def test_the_address_is_free_again_at_once():
    with Node() as first:
        address = f"--listen=127.0.0.1:{first.port}"
        first.stop(signal.SIGTERM)
        with Node(address) as second:
            assert second.port == first.port


def test_a_port_in_use_is_refused():
    with Node() as node:
        code, sentence = refusal(f"--listen=127.0.0.1:{node.port}", "--capacity=1MiB")
        assert code == 8
        assert "Address already in use" in sentence and str(node.port) in sentence


def test_beyond_loopback_it_asks_for_a_token(tmp_path):
    code, sentence = refusal("--listen=0.0.0.0:0", "--capacity=1MiB")
    assert code == 2
    assert "--token_file" in sentence
    with Node("--listen=0.0.0.0:0", f"--token_file={token_file(tmp_path)}") as node:
        assert "0.0.0.0" in node.line


def test_the_token_is_never_shown(tmp_path):
    with Node("--verbose", f"--token_file={token_file(tmp_path)}") as node:
        _, errors = node.stop(signal.SIGTERM)
        assert errors != ""
        assert "s3cret" not in node.line + errors


def test_a_token_open_to_everybody_is_refused(tmp_path):
    path = token_file(tmp_path, 0o644)
    code, sentence = refusal("--listen=127.0.0.1:0", "--capacity=1MiB", f"--token_file={path}")
    assert code == 6
    assert "chmod" in sentence and "s3cret" not in sentence


def test_an_absent_token_file_is_refused(tmp_path):
    path = tmp_path / "absent"
    code, sentence = refusal("--listen=127.0.0.1:0", "--capacity=1MiB", f"--token_file={path}")
    assert code == 3
    assert str(path) in sentence


def test_more_than_the_host_has_is_refused_with_numbers():
    code, sentence = refusal("--listen=127.0.0.1:0", "--capacity=512TiB")
    assert code == 7
    assert "512 TiB" in sentence and "this host has" in sentence


@pytest.mark.parametrize(
    "flags, words",
    [
        ([], "--listen="),
        (["--listen=127.0.0.1:0"], "--capacity="),
        (["--listen=here", "--capacity=1MiB"], "'here'"),
        (["--listen=127.0.0.1:0", "--capacity=lots"], "'lots'"),
        (["--listen=127.0.0.1:0", "--capacity=1MiB", "--lease_seconds=soon"], "'soon'"),
        (["--listen=127.0.0.1:0", "--capacity=1MiB", "--transports=ib"], "ib"),
        (["--unknown"], "--unknown"),
        (["serve"], "serve"),
    ],
)
def test_a_mistake_on_the_command_line_is_one_sentence(flags, words):
    code, sentence = refusal(*flags)
    assert code == 2
    assert words in sentence


def has_rdma_device():
    devices = Path("/sys/class/infiniband")
    return devices.exists() and any(devices.iterdir())


@pytest.mark.skipif(has_rdma_device(), reason="this host has an RDMA device")
def test_verbs_without_a_device():
    code, sentence = refusal("--listen=127.0.0.1:0", "--capacity=1MiB", "--transports=verbs")
    assert code == 8
    assert "verbs" in sentence
    with Node() as node:
        assert "verbs" not in node.transports


def free_huge_pages():
    path = Path("/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages")
    return int(path.read_text()) if path.exists() else 0


@pytest.mark.skipif(free_huge_pages() > 0, reason="this host has free huge pages")
def test_without_huge_pages_it_says_so_and_serves():
    with Node() as node:
        assert re.fullmatch(r"4 KiB pages.*; reserved 2 MiB huge pages: \d+ wanted, fewer free", node.pages)


def test_help_and_version():
    for flag, words in (("--help", "--capacity"), ("--version", "fargraph-memory-node")):
        result = subprocess.run([PROGRAM, flag], capture_output=True, text=True, timeout=60)
        assert (result.returncode, result.stderr) == (0, "")
        assert words in result.stdout
