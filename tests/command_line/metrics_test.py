"""Metrics of memory nodes and jobs, with the dashboard and the table that name them; and top."""

import base64
import contextlib
import json
import os
import pathlib
import pty
import re
import signal
import subprocess
import time
import urllib.error
import urllib.request

import pytest

from conftest import BIN

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
MONITORING = REPOSITORY / "deploy/monitoring"


def scrape(address, password=None):
    """The samples at an address, by name; and the kinds that it declares."""
    request = urllib.request.Request(f"http://{address}/metrics")
    if password is not None:
        code = base64.b64encode(f"fargraph:{password}".encode()).decode()
        request.add_header("Authorization", f"Basic {code}")
    with urllib.request.urlopen(request, timeout=10) as reply:
        text = reply.read().decode()
    values = {}
    for name, labels, value in re.findall(r"^(fargraph_\w+)(\{.*\})? (\S+)$", text, re.MULTILINE):
        values.setdefault(name, {})[labels] = float(value)
    return values, dict(re.findall(r"^# TYPE (fargraph_\w+) (\w+)$", text, re.MULTILINE))


@contextlib.contextmanager
def running_node(*flags):
    """A memory node; gives its address and that of its metrics."""
    with subprocess.Popen([BIN / "fargraph-memory-node", "--listen=127.0.0.1:0", "--capacity=16MiB", "--transports=tcp,shm",
                           "--metrics_port=0", "--lease_seconds=1", *flags], stdout=subprocess.PIPE, text=True) as process:
        try:
            line = process.stdout.readline()
            yield (re.search(r"listening on (\S+),", line).group(1), re.search(r"metrics on (\S+)", line).group(1))
        finally:
            process.terminate()


@contextlib.contextmanager
def running_job(fargraph, *flags):
    """A job that goes on until it is killed; gives the address of its metrics."""
    fargraph.ok("generate", "kron", "kron", "--scale=10")
    process = fargraph.start("run", "pagerank", "kron", "--trials=1000000", "--metrics_port=0", *flags)
    try:
        for line in process.stderr:
            if found := re.search(r"metrics on (\S+)", line):
                yield found.group(1)
                break
    finally:
        process.terminate()
        process.communicate(timeout=30)


def wait_for(condition):
    deadline = time.monotonic() + 30
    while not (result := condition()):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    return result


def test_a_node_and_its_job_as_prometheus_and_top_see_them(fargraph):
    with running_node() as (node, node_metrics):
        assert scrape(node_metrics)[0]["fargraph_memory_node_capacity_bytes"][""] == 16 << 20
        with running_job(fargraph, f"--memory_nodes={node}", "--far_ratio=1", "--transport=tcp") as job_metrics:
            job = wait_for(lambda: (found := scrape(job_metrics)[0])["fargraph_job_iterations_total"][""] > 10 and found)
            assert job["fargraph_job_fetched_bytes_total"][""] >= job["fargraph_job_useful_bytes_total"][""] > 0
            assert job["fargraph_job_info"] == {'{algorithm="pagerank",graph="kron"}': 1}
            moved = wait_for(lambda: scrape(node_metrics)[0]["fargraph_memory_node_moved_bytes_total"][""])
            seen = scrape(node_metrics)[0]
            assert seen["fargraph_memory_node_clients"]['{transport="tcp"}'] == 1
            assert seen["fargraph_memory_node_allocated_bytes"][""] > 0
            check_names(scrape(node_metrics)[1] | scrape(job_metrics)[1])

            lines = fargraph.ok("top", f"--memory_nodes={node}", "--once").splitlines()
            assert lines[0].startswith("MEMORY NODE")
            assert lines[1].startswith(node) and " 16 MiB " in lines[1]
            assert "fargraph (process" in lines[2] and lines[2].endswith("over tcp")
        wait_for(lambda: scrape(node_metrics)[0]["fargraph_memory_node_clients"]['{transport="tcp"}'] == 0)
        assert scrape(node_metrics)[0]["fargraph_memory_node_moved_bytes_total"][""] >= moved


def check_names(kinds):
    """The metrics that exist are those of the documentation, and the dashboard shows all of them and no others."""
    documented = dict(re.findall(r"^\| `(fargraph_\w+)` \| (\w+) \|", (REPOSITORY / "docs/metrics.md").read_text(), re.MULTILINE))
    assert documented == kinds
    dashboard = json.loads((MONITORING / "grafana-dashboard.json").read_text())
    expressions = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    assert set(re.findall(r"fargraph_\w+", " ".join(expressions))) == set(kinds)
    for expression in expressions:
        for name in re.findall(r"fargraph_\w+", expression):
            is_rate = f"({name}[" in expression
            assert not is_rate or kinds[name] == "counter", expression


def test_the_scrape_configuration_is_for_the_commands_as_they_are(fargraph):
    yaml = pytest.importorskip("yaml")
    config = yaml.safe_load((MONITORING / "prometheus.yml").read_text())
    assert [job["basic_auth"]["username"] for job in config["scrape_configs"]] == ["fargraph", "fargraph"]
    assert "metrics_path" not in config["scrape_configs"][0]  # /metrics, which is the default
    assert "--metrics_port" in fargraph.ok("help", "run")


def test_with_a_token_the_password_is_asked_for(fargraph):
    token = fargraph.folder / "token"
    token.write_text("0123456789abcdef\n")
    token.chmod(0o600)
    with running_node(f"--token_file={token}") as (_, metrics):
        assert scrape(metrics, password="0123456789abcdef")[0]["fargraph_memory_node_regions"][""] == 0
        for password in (None, "wrong"):
            with pytest.raises(urllib.error.HTTPError, match="401"):
                scrape(metrics, password=password)


def test_a_port_that_is_taken(fargraph, graph):
    with running_node() as (_, metrics):
        port = metrics.rpartition(":")[2]
        sentence = fargraph.fails(8, "run", "wcc", graph, f"--metrics_port={port}")
        assert sentence.startswith(f"cannot show metrics on 127.0.0.1:{port}: ")
    assert "takes a whole number from 0 to 65535" in fargraph.fails(2, "run", "wcc", graph, "--metrics_port=65536")


def test_top_of_a_node_that_is_not_there(fargraph, memory_node):
    done = fargraph("top", f"--memory_nodes={memory_node},127.0.0.1:1")  # no terminal: once
    assert done.returncode == 5
    assert memory_node in done.stdout and "127.0.0.1:1 " in done.stdout
    assert "--memory_nodes is missing" in fargraph.fails(2, "top")


def test_top_draws_anew_on_a_terminal_until_it_is_interrupted(fargraph, memory_node):
    terminal, output = pty.openpty()
    with subprocess.Popen([BIN / "fargraph", "top", f"--memory_nodes={memory_node}"], stdout=output) as process:
        os.close(output)
        assert os.read(terminal, 1 << 16).startswith(b"\x1b[H\x1b[JMEMORY NODE ")
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) == 0
    os.close(terminal)
