"""doctor: what is wrong with a host or on the way to a memory node is told in a line with what mends it."""

import contextlib
import json
import os
import pathlib
import subprocess
import time

import pytest

from conftest import BIN, sentence_of

V1_MEMORY = pathlib.Path("/sys/fs/cgroup/memory")


def checks(report, node="this host"):
    """The findings of a node by their check."""
    return {check["check"]: check for check in json.loads(report)["checks"] if check["node"] == node}


def examine(fargraph, *flags, **options):
    """Runs doctor, whatever it finds; its findings of this host."""
    done = fargraph("doctor", "--json", *flags, **options)
    assert done.returncode in (0, 8), done.stderr
    return checks(done.stdout)


def test_a_line_for_each_check(fargraph, memory_node):
    lines = fargraph("doctor", f"--memory_nodes={memory_node}").stdout.splitlines()
    assert lines[0] == "this host" and memory_node in lines
    for line in lines:
        level = line.split()[0]
        assert line in ("this host", memory_node) or level in ("ok", "warning", "problem"), line
        assert (level in ("warning", "problem")) == ("  -> " in line), line
    for check in ["memlock", "cgroup memory", "memory", "swap", "pages of 2 MiB", "transparent pages", "data port"]:
        assert any(line[9:].startswith(check) for line in lines), check


def test_json_says_the_same(fargraph, memory_node):
    done = fargraph("doctor", f"--memory_nodes={memory_node}", "--json")
    report = done.stdout
    assert done.returncode == (8 if json.loads(report)["problems"] else 0)
    path = checks(report, memory_node)
    assert path["control port"]["value"] == "answers; lends 16 MiB"
    assert path["data port"]["value"].startswith("64 KiB read over ")
    assert path["lent memory"]["level"] in ("ok", "warning")


def test_a_port_that_nobody_listens_on(fargraph):
    done = fargraph("doctor", "--memory_nodes=127.0.0.1:1")
    assert done.returncode == 8
    assert sentence_of(done.stderr).startswith("Problems found: ")
    line = done.stdout.splitlines()[-1]
    assert line.startswith("problem  control port") and "-> on that host: fargraph-memory-node" in line


@pytest.mark.skipif(os.geteuid() == 0 and not pathlib.Path("/usr/bin/setpriv").exists(),
                    reason="root without setpriv cannot be bound to a limit")
def test_a_low_limit_on_locked_memory(fargraph):
    drop = ["setpriv", "--bounding-set=-ipc_lock", "--inh-caps=-ipc_lock"] if os.geteuid() == 0 else []
    done = subprocess.run([*drop, "sh", "-c", 'ulimit -l 64 && exec "$0" doctor --json --transport=verbs', BIN / "fargraph"],
                          capture_output=True, text=True, check=False, cwd=fargraph.folder)
    assert done.returncode == 8
    memlock = checks(done.stdout)["memlock"]
    assert memlock["level"] == "problem" and memlock["value"].startswith("64 KiB")
    assert "memlock" in memlock["mend"]


@contextlib.contextmanager
def memory_group(limit_bytes):
    group = V1_MEMORY / f"fargraph-doctor-{os.getpid()}"
    try:
        group.mkdir()
    except OSError as error:
        pytest.skip(f"no memory cgroup can be made here: {error}")
    try:
        (group / "memory.limit_in_bytes").write_text(str(limit_bytes))
        yield group
    finally:
        remove(group)


def remove(group):
    """Removes a group once the kernel has noticed that its processes are gone."""
    deadline = time.monotonic() + 10
    while True:
        try:
            return group.rmdir()
        except OSError:
            assert time.monotonic() < deadline, f"{group} stays in use"
            time.sleep(0.05)


@pytest.mark.skipif(not (V1_MEMORY / "cgroup.procs").exists(), reason="version 2 is tested on files of the unit test's own")
def test_a_memory_cgroup(fargraph):
    with memory_group(1 << 30) as group:
        def enter():
            (group / "cgroup.procs").write_text(str(os.getpid()))

        found = examine(fargraph, "--local_memory=2GiB", preexec_fn=enter)["cgroup memory"]
        assert found["level"] == "problem" and found["value"].startswith("at most 1 GiB ")
        assert found["mend"] == f"echo -1 > {group}/memory.limit_in_bytes"
        assert examine(fargraph, "--local_memory=1GiB", preexec_fn=enter)["cgroup memory"]["level"] == "ok"


def test_directories_with_and_without_direct_io(fargraph, graph):
    in_memory = fargraph("doctor", "--json", "--ssd_dirs=/dev/shm")
    assert in_memory.returncode == 8
    assert checks(in_memory.stdout)["direct IO"]["level"] == "problem"
    found = examine(fargraph, f"--graph={graph}")
    assert found["direct IO"]["value"].startswith(f"{graph}: in blocks of ") or found["direct IO"]["level"] == "problem"
    assert found["asynchronous IO"]["level"] == "ok"


def test_a_graph_that_is_not_there(fargraph):
    found = examine(fargraph, "--graph=nodir")
    assert found["direct IO"]["level"] == "problem"
    assert found["direct IO"]["mend"] == "name a directory that fargraph convert wrote"


def test_more_than_the_host_has_cannot_be_lent(fargraph):
    done = fargraph("doctor", "--json", "--capacity=1024TiB")
    assert done.returncode == 8
    found = checks(done.stdout)
    assert found["memory"]["level"] == "problem" and found["memory"]["value"].endswith(", less than 1024 TiB")
    assert found["pages of 2 MiB"]["level"] == "warning" and "nr_hugepages" not in found["pages of 2 MiB"]["mend"]
    assert examine(fargraph, "--local_memory=1024TiB")["memory"]["level"] == "warning"
    assert examine(fargraph, "--capacity=16MiB")["memory"]["level"] == "ok"


def make_certificate(folder, days):
    """Valid from now for so many days; -1 makes one that expired yesterday."""
    key, request, certificate = (folder / name for name in ("key.pem", "request.pem", "certificate.pem"))
    for command in [["req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key, "-subj", "/CN=far1",
                     "-out", request],
                    ["x509", "-req", "-in", request, "-signkey", key, "-days", str(days), "-out", certificate]]:
        subprocess.run(["openssl", *command], check=True, capture_output=True)
    return certificate


@pytest.mark.parametrize("days,level,value", [
    (400, "ok", ": valid until "), (10, "warning", ": valid until "), (-1, "problem", ": expired on "),
])
def test_the_dates_of_a_certificate(fargraph, days, level, value):
    certificate = make_certificate(fargraph.folder, days)
    done = fargraph("doctor", "--json", f"--certificate={certificate}")
    found = checks(done.stdout)["certificate dates"]
    assert found["level"] == level and found["value"].startswith(f"{certificate}{value}")
    assert found["value"].endswith(" (CN=far1)")
    assert done.returncode == (8 if json.loads(done.stdout)["problems"] else 0)
    if level != "ok":
        shown = subprocess.run(found["mend"], shell=True, check=True, capture_output=True, text=True).stdout
        assert "Not After" in shown and "CN = far1" in shown.replace("CN=far1", "CN = far1")


def test_what_is_no_certificate(fargraph):
    edges = fargraph.folder / "edges.txt"
    edges.write_text("3 7\n")
    for file, said in [(edges, "no PEM certificate is in it"), (fargraph.folder / "missing", "No such file or directory")]:
        done = fargraph("doctor", f"--certificate={file}")
        assert done.returncode == 8
        line = next(line for line in done.stdout.splitlines() if line[9:].startswith("certificate dates"))
        assert line.startswith("problem ") and said in line and f" {file}" in line.partition("  -> ")[2]


@pytest.mark.parametrize("arguments,sentence", [
    (["--capacity=much"], "--capacity cannot be 'much'"),
    (["--capacity=1GiB", "--local_memory=1GiB"], "set one of them"),
    (["--memory_nodes=nowhere"], "--memory_nodes: "),
])
def test_bad_values(fargraph, arguments, sentence):
    assert sentence in fargraph.fails(2, "doctor", *arguments)


def test_a_path_of_any_bytes(fargraph):
    """Even where it is no text, which JSON is."""
    assert examine(fargraph, os.fsdecode(b"--ssd_dirs=no\xffwhere"))
