"""Whatever is given wrongly or breaks: one sentence that says what, why and what to do, the documented exit code
(docs/command-line.md), and nothing left behind. One test per case."""

import ctypes
import gzip
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys

import pytest

from commands import BIN, MemoryNode, fargraph, memory_nodes, require_direct_io
from far_job import FarJob, in_use, wait_for
from huge_pages import free_huge_pages, reserved_huge_pages
from refusal import is_news, is_sentence, left_behind

HEADS = [f"{direction}.heads.{position}" for direction in ["out", "in"] for position in range(4)]
ARRAYS = ["out.index", "out.edges", "out.weights", "in.index", "in.edges", "in.weights", "ids", "order",
          "ranks", *HEADS]
CODES = ["out.codes", "out.codes.index", "in.codes", "in.codes.index"]  # of a compressed graph, in place of the edges
OUTPUTS = ["--output=answer", "--json=report"]
RDMA_DEVICES = pathlib.Path("/sys/class/infiniband")


@pytest.fixture
def refused(tmp_path):
    """Runs `fargraph ARGUMENTS`, which has to fail with the code and leave nothing; returns its sentence."""

    def run(code, *arguments, **options):
        before = left_behind(tmp_path)
        done = fargraph(*arguments, check=False, cwd=tmp_path, **options)
        assert done.returncode == code, (done.returncode, done.stderr)
        assert done.stdout == ""
        *news, sentence = done.stderr.splitlines()
        assert all(is_news(line) for line in news), done.stderr
        assert is_sentence(sentence), sentence
        assert left_behind(tmp_path) == before
        print(f"exit {code}: {sentence}")
        return sentence

    return run


@pytest.fixture(scope="module")
def kron(tmp_path_factory):
    """A graph of 2^14 vertices, ids 0 to 16383, whose in-edges fill four stripes."""
    graph = tmp_path_factory.mktemp("graphs") / "kron"
    fargraph("generate", "kron", graph, "--scale=14")
    return graph


def convert_small(tmp_path, *flags):
    """A graph that has every array file: directed, weighted, renumbered ids with a hole."""
    edges = tmp_path / "edges.txt"
    edges.write_text("3 40 1\n7 40 2\n9 40 1\n40 3 5\n")
    fargraph("convert", edges, tmp_path / "graph", "--order=degree", *flags)
    return tmp_path / "graph"


@pytest.fixture
def small(tmp_path):
    graph = convert_small(tmp_path)
    assert {path.name for path in graph.iterdir()} == {*ARRAYS, "manifest.json"}
    return graph


@pytest.fixture
def small_with(tmp_path):
    """The same, compressed where the file is one of a compressed graph."""
    return lambda name: convert_small(tmp_path, *["--compress"] * (name in CODES))


def test_text_given_as_binary(refused, tmp_path, small):
    """Text given as binary: an edge list where a converted graph belongs, and in the place of one of its arrays."""
    for command in (["run", "wcc"], ["info"]):
        assert "`fargraph convert edges.txt DIRECTORY`" in refused(4, *command, "edges.txt")
    for content in ["3 7\n7 9\n", "3 7\n" * 10_000]:
        (small / "out.edges").write_text(content)
        assert "graph/out.edges" in refused(4, "run", "wcc", "graph", *OUTPUTS)


@pytest.mark.parametrize("content", [
    pathlib.Path(sys.executable).read_bytes()[:1 << 16],
    random.Random(1).randbytes(1 << 16),
    b"3 7\n7 9\n" + bytes(range(256)),
    b"3 7\n7 9\n\0\0\0\0",
    gzip.compress(random.Random(1).randbytes(1 << 16)),
    gzip.compress(b"3 7\n" * 1000)[:-10],
    "3 7\n7 9\n".encode("utf-16"),
], ids=["program", "noise", "text-then-bytes", "text-then-zeros", "gzip-of-noise", "gzip-cut-off", "utf-16"])
def test_binary_given_as_text(refused, tmp_path, content):
    """Binary as text: under the name of an edge list, anything that is none."""
    (tmp_path / "edges.txt").write_bytes(content)
    assert "edges.txt" in refused(4, "convert", "edges.txt", "graph")


def test_a_converted_array_given_as_text(refused, small):
    """Binary as text: a file of a graph that is converted already."""
    assert "`fargraph run`" in refused(4, "convert", "graph/out.edges", "other")


def reading(name):
    """A run that reads the file: no kernel reads weights or heads, so their content is looked at on demand."""
    unread = "weights" in name or "heads" in name
    return ["run", "bfs", "graph", "--source=3", *OUTPUTS, *(["--verify_files"] if unread else [])]


@pytest.mark.parametrize("name", [*ARRAYS, *CODES, "manifest.json"])
def test_a_truncated_file(refused, small_with, name):
    """Truncated graph files: each of them, cut anywhere."""
    small = small_with(name)
    whole = (small / name).read_bytes()
    for size in sorted({0, 1, min(4095, len(whole) - 2), 4096 % len(whole), len(whole) // 2, len(whole) - 2}):
        (small / name).write_bytes(whole[:size])
        sentence = refused(4, *reading(name))
        assert f"graph/{name}" in sentence and sentence.endswith(" convert the graph again")


def give_up_roots_rights():
    """In a child before it becomes a command: permissions hold for root as for anybody else."""
    pr_capbset_drop, cap_dac_override, cap_dac_read_search = 24, 1, 2
    for capability in (cap_dac_override, cap_dac_read_search):
        ctypes.CDLL(None).prctl(pr_capbset_drop, capability, 0, 0, 0)


@pytest.fixture
def with_mode():
    """Gives a path another mode until the test ends."""
    modes = {}

    def change(path, mode):
        modes[path] = path.stat().st_mode
        path.chmod(mode)

    yield change
    for path, mode in modes.items():
        path.chmod(mode)


@pytest.mark.parametrize("name", ["out.edges", "manifest.json", ""])
def test_a_graph_that_may_not_be_read(refused, tmp_path_factory, with_mode, name):
    """Graph files of another user: an array, the manifest, the whole directory; neither damaged nor missing."""
    graph = convert_small(tmp_path_factory.mktemp("of_another"))
    with_mode(graph / name, 0)
    sentence = refused(3, "run", "bfs", graph, *OUTPUTS, preexec_fn=give_up_roots_rights)
    assert f"Opening {graph}/{name or 'manifest.json'}: Permission denied; " in sentence


@pytest.mark.parametrize("name", [*ARRAYS, *CODES, "manifest.json"])
def test_a_flipped_bit(refused, small_with, name):
    """Bit-flipped graph files: each of them, one bit in the header, the data, its filling, the checksums."""
    small = small_with(name)
    whole = (small / name).read_bytes()
    for offset in sorted({0, 16, len(whole) // 3, 4095, 4096, 4100, 8191, 8192, len(whole) - 1}):
        if offset >= len(whole):
            continue
        flipped = bytearray(whole)
        flipped[offset] ^= 4
        (small / name).write_bytes(flipped)
        sentence = refused(4, *reading(name))
        assert f"graph/{name}" in sentence and sentence.endswith(" convert the graph again")


def test_a_damage_met_while_edges_go_far(refused, kron, tmp_path):
    """Bit-flipped graph files: what was on its way to a memory node is freed."""
    shutil.copytree(kron, tmp_path / "graph")
    edges = bytearray((kron / "in.edges").read_bytes())
    edges[5000] ^= 1
    (tmp_path / "graph/in.edges").write_bytes(edges)
    with memory_nodes(2) as nodes:
        assert "graph/in.edges" in refused(4, "run", "pagerank", "graph", nodes, "--far_ratio=1", *OUTPUTS)
        for address in nodes.partition("=")[2].split(","):
            assert in_use(address) == "0 B"


def test_a_source_out_of_range(refused, kron, small):
    """A source out of range: beyond the last id, and in a hole between ids."""
    sentence = refused(2, "run", "bfs", kron, "--source=16384", *OUTPUTS)
    assert "source 16384" in sentence and "0 to 16383" in sentence
    sentence = refused(2, "run", "bfs", "graph", "--source=8", *OUTPUTS)
    assert "source 8" in sentence and "3 to 40" in sentence


def far(address, *flags):
    return [f"--memory_nodes={address}", "--far_ratio=1", *flags, *OUTPUTS]


def test_an_unreachable_memory_node(refused, kron):
    """An unreachable memory node: nobody at the port, no such host, no answer, and one of two."""
    assert "127.0.0.1:1: " in refused(5, "run", "pagerank", kron, *far("127.0.0.1:1"))
    assert "no.such.host.invalid:1" in refused(5, "run", "pagerank", kron, *far("no.such.host.invalid:1"))
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        assert f"127.0.0.1:{port}: no answer" in refused(5, "run", "pagerank", kron, *far(f"127.0.0.1:{port}"))
    with memory_nodes(1) as nodes:
        address = nodes.partition("=")[2]
        assert "127.0.0.1:1: " in refused(5, "run", "pagerank", kron, *far(f"{address},127.0.0.1:1"))
        assert in_use(address) == "0 B"


def test_a_full_memory_node(refused, kron):
    """A full memory node: refused with what was asked for and what is free, and nothing stays on any node."""
    with memory_nodes(1) as large, memory_nodes(1, capacity="64KiB") as full:
        addresses = [flag.partition("=")[2] for flag in (large, full)]
        sentence = refused(7, "run", "pagerank", kron, *far(",".join(addresses)))
        assert addresses[1] in sentence
        assert "do not fit" in sentence and "64 KiB" in sentence and "--capacity" in sentence
        assert [in_use(address) for address in addresses] == ["0 B", "0 B"]


def on_ssd(directory):
    return [f"--ssd_dirs={directory}", "--far_ratio=1", *OUTPUTS]


def test_no_directory_for_an_ssd(refused, kron, tmp_path):
    """A directory for an SSD that is not there, that is a file, or that may not be written to."""
    (tmp_path / "file").write_text("")
    (tmp_path / "ours").mkdir(mode=0o500)
    for name in ["missing", "file", "ours"]:
        sentence = refused(3, "run", "pagerank", kron, *on_ssd(name), preexec_fn=give_up_roots_rights)
        assert f"Opening {name}: " in sentence


def test_a_small_graph_on_an_ssd_to_read_only(refused, tmp_path_factory, with_mode):
    """An SSD that may not be written to, where no file is large enough to measure it by."""
    graph = convert_small(tmp_path_factory.mktemp("of_another"))
    require_direct_io(graph)
    with_mode(graph, 0o500)
    remembering_no_link = {**os.environ, "XDG_CACHE_HOME": "/dev/null"}
    for command in (["run", "bfs", graph, "--far_ratio=1"], ["plan", "bfs", graph, "--far_ratio=1"], ["probe"]):
        sentence = refused(3, *command, f"--ssd_dirs={graph}", preexec_fn=give_up_roots_rights, env=remembering_no_link)
        assert f"there is no file of 256 KiB to read, and none could be made: Opening {graph}: Permission denied" in sentence


def test_an_ssd_without_direct_io(refused, kron):
    """A file system in memory is no SSD."""
    if not pathlib.Path("/dev/shm").is_dir():
        pytest.skip("there is no tmpfs")
    sentence = refused(8, "run", "pagerank", kron, *on_ssd("/dev/shm"))
    assert "/dev/shm" in sentence and "direct IO" in sentence


def test_a_full_ssd(refused, kron, tmp_path):
    """A full SSD: as where files may not become large enough."""
    require_direct_io(kron)
    (tmp_path / "ssd").mkdir()

    def limit_files():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (512 << 10, 512 << 10))

    sentence = refused(7, "run", "pagerank", kron, *on_ssd("ssd"), preexec_fn=limit_files)
    assert " bytes in ssd: " in sentence


def test_a_damage_met_where_edges_are_on_ssd(refused, kron, tmp_path):
    """Bit-flipped graph files: also if edges stay where they are."""
    require_direct_io(kron)
    shutil.copytree(kron, tmp_path / "graph")
    edges = bytearray((kron / "in.edges").read_bytes())
    edges[5000] ^= 1
    (tmp_path / "graph/in.edges").write_bytes(edges)
    assert "graph/in.edges" in refused(4, "run", "pagerank", "graph", *on_ssd("graph"))


def test_a_wrong_token(refused, kron, tmp_path):
    """A wrong-token memory node: another token, and none; neither is shown."""
    for name, token in (("right", "s3cret"), ("wrong", "gu3ss")):
        (tmp_path / name).write_text(f"{token}\n")
        (tmp_path / name).chmod(0o600)
    with memory_nodes(1, f"--token_file={tmp_path}/right") as nodes:
        address = nodes.partition("=")[2]
        for flags in (["--token_file=wrong"], []):
            sentence = refused(6, "run", "pagerank", kron, *far(address, *flags))
            assert address in sentence and "--token_file" in sentence
            assert "s3cret" not in sentence and "gu3ss" not in sentence


@pytest.fixture
def nodes_by_hand():
    """Starts memory nodes that a test may kill; ends the others."""
    started = []

    def start(count, *flags, **options):
        started.extend(MemoryNode(*flags, **options) for _ in range(count))
        return started

    yield start
    for node in started:
        node.stop()


@pytest.mark.parametrize("node_count", [1, 3])
@pytest.mark.parametrize("transport", ["shm", "tcp"])
def test_a_memory_node_killed_in_the_middle(kron, tmp_path, nodes_by_hand, transport, node_count):
    """A memory node killed in the middle of a run: the job ends at once, and gives the others back what they lent."""
    nodes = nodes_by_hand(node_count)
    before = left_behind(tmp_path)
    with FarJob(kron, nodes, f"--transport={transport}", folder=tmp_path) as job:
        job.wait_for_iterations()
        assert all(in_use(node.address) != "0 B" for node in nodes)
        nodes[-1].process.kill()
        code, sentence = job.end()
    print(f"exit {code}: {sentence}")
    assert code == 5
    assert is_sentence(sentence)
    assert nodes[-1].address in sentence and "run the job again" in sentence
    assert sentence.count(";") == 1  # one advice
    assert left_behind(tmp_path) == before
    for node in nodes[:-1]:
        wait_for(lambda node=node: in_use(node.address) == "0 B")
        assert node.stop() == 0


def test_a_lease_that_ended_in_the_middle(kron, tmp_path, nodes_by_hand):
    """A job stopped for longer than its lease is told that this has ended, not that the node was lost."""
    [node] = nodes_by_hand(1, "--lease_seconds=1")
    with FarJob(kron, [node], "--transport=tcp", folder=tmp_path) as job:
        job.wait_for_iterations()
        job.process.send_signal(signal.SIGSTOP)
        wait_for(lambda: in_use(node.address) == "0 B")
        job.process.send_signal(signal.SIGCONT)
        code, sentence = job.end()
    print(f"exit {code}: {sentence}")
    assert code == 5
    assert is_sentence(sentence)
    assert node.address in sentence and "the lease has ended" in sentence and "start the job again" in sentence
    assert node.stop() == 0


def test_memlock_too_low(refused, kron, tmp_path):
    """memlock too low: on the memory node at its start, on the compute node before the job; both say what to set."""
    limit = resource.getrlimit(resource.RLIMIT_MEMLOCK)[0]
    if not has_rdma_device():
        pytest.skip("only verbs locks memory, and this host has no RDMA device; tests/testbed/suites/bad_input has one")
    if limit == resource.RLIM_INFINITY or may_lock_without_limit():
        pytest.skip("this process may lock all memory; tests/testbed/suites/bad_input may not")
    host = os.environ["FARGRAPH_TEST_HOST"]
    (tmp_path / "token").write_text("s3cret\n")
    (tmp_path / "token").chmod(0o600)
    node_flags = [f"--token_file={tmp_path}/token", "--transports=verbs"]

    done = subprocess.run([BIN / "fargraph-memory-node", f"--listen={host}:0", f"--capacity={2 * limit}B", *node_flags],
                          capture_output=True, text=True, timeout=60, check=False)
    print(f"exit {done.returncode}: {done.stderr}")
    assert (done.returncode, done.stdout) == (8, "")
    assert is_sentence(done.stderr.removesuffix("\n"), "fargraph-memory-node")
    assert "ulimit -l" in done.stderr

    with memory_nodes(1, *node_flags, capacity=f"{limit // 4}B", host=host) as nodes:
        flags = [nodes, "--token_file=token", "--transport=verbs", "--far_ratio=1", "--chunk_size=4MiB"]
        assert "ulimit -l" in refused(8, "run", "pagerank", kron, *flags, *OUTPUTS)


def has_rdma_device():
    return RDMA_DEVICES.exists() and any(RDMA_DEVICES.iterdir())


def may_lock_without_limit():
    capabilities = re.search(r"CapEff:\s*(\w+)", pathlib.Path("/proc/self/status").read_text())
    cap_ipc_lock = 14
    return int(capabilities[1], 16) >> cap_ipc_lock & 1


def check_far_run(kron, tmp_path, node):
    done = fargraph("run", "pagerank", kron, f"--memory_nodes={node.address}", "--far_ratio=1", "--verify",
                    "--json=-", cwd=tmp_path)
    report = json.loads(done.stdout)
    assert report["verified"] and report["bytes_fetched"] > 0


def test_no_huge_pages(kron, tmp_path, nodes_by_hand):
    """No huge pages: the memory node says that it takes small ones and why, and jobs run."""
    pages = free_huge_pages() + 64
    node, = nodes_by_hand(1, capacity=f"{2 * pages}MiB")
    assert f" on 4 KiB pages; reserved 2 MiB huge pages: {pages} wanted, fewer free, " in node.line
    check_far_run(kron, tmp_path, node)


def test_huge_pages(kron, tmp_path, nodes_by_hand):
    """No huge pages, the other way round: where there are some, the memory node takes them and says so."""
    pages = 4
    others_took_some = False
    for _ in range(10):
        with reserved_huge_pages(pages):
            node = nodes_by_hand(1, capacity=f"{2 * pages}MiB")[-1]
            if " on 2 MiB huge pages" in node.line:
                return check_far_run(kron, tmp_path, node)
            others_took_some |= free_huge_pages() < pages
    assert others_took_some, node.line
    pytest.skip("other programs took the reserved huge pages before the memory node could")


@pytest.mark.skipif(has_rdma_device(), reason="this host has an RDMA device")
def test_no_rdma_device(refused, kron):
    """No RDMA device: asked for verbs, neither another transport nor a stack of errors."""
    with memory_nodes(1) as nodes:
        address = nodes.partition("=")[2]
        sentence = refused(8, "run", "pagerank", kron, *far(address, "--transport=verbs"))
        assert "--transport=verbs" in sentence and "no RDMA device" in sentence
        assert in_use(address) == "0 B"


def test_vertices_that_exceed_the_budget(refused, kron, tmp_path):
    """A graph whose vertices alone exceed the budget: the smallest that does is named, and does."""
    with memory_nodes(1) as nodes:
        def run_within(budget):
            return ["run", "pagerank", kron, nodes, f"--local_memory={budget}", "--chunk_size=4KiB", *OUTPUTS]

        sentence = refused(7, *run_within("64KiB"))
        assert "vertex state" in sentence and "--local_memory=64 KiB" in sentence
        smallest = int(re.search(r"the smallest budget that does is --local_memory=(\d+)B$", sentence)[1])
        refused(7, *run_within(f"{smallest - 1}B"))
        fargraph(*run_within(f"{smallest}B"), cwd=tmp_path)
        assert json.loads((tmp_path / "report").read_text())["far_ratio"] == 1


@pytest.mark.parametrize("transport", ["shm", "tcp"])
def test_ctrl_c_in_the_middle_of_a_far_run(kron, tmp_path, nodes_by_hand, transport):
    """Ctrl-C in the middle: 130, no outputs, and the memory nodes have everything back."""
    nodes = nodes_by_hand(3)
    before = left_behind(tmp_path)
    with FarJob(kron, nodes, f"--transport={transport}", folder=tmp_path) as job:
        job.wait_for_iterations()
        job.process.send_signal(signal.SIGINT)
        code, sentence = job.end()
    print(f"exit {code}: {sentence}")
    assert code == 130
    assert sentence == "fargraph: interrupted in the middle of the computation; nothing was left behind"
    assert left_behind(tmp_path) == before
    for node in nodes:
        assert in_use(node.address) == "0 B"
        assert node.stop() == 0
