"""--log_format=json: every line that a memory node or a job says is a JSON object."""

import datetime
import json
import re
import subprocess

from conftest import BIN

AWKWARD = 'a "quoted"\ntwo-line gräph → 图'


def objects(text):
    found = [json.loads(line) for line in text.splitlines()]
    for line in found:
        assert datetime.datetime.fromisoformat(line["time"].replace("Z", "+00:00")).tzinfo
        assert line["severity"] in ("INFO", "WARNING", "ERROR")
        assert re.match(r"\w+\.cc", line["source"]) and line["message"]
    return found


def test_a_memory_node_and_its_client(fargraph, graph):
    node = subprocess.Popen([BIN / "fargraph-memory-node", "--listen=127.0.0.1:0", "--capacity=16MiB", "--verbose",
                             "--log_format=json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    ready = objects(node.stdout.readline())[0]
    fargraph.ok("run", "wcc", graph, f"--memory_nodes={ready['address']}", "--far_ratio=1")
    node.terminate()
    logged = objects(node.communicate(timeout=30)[1])
    assert node.returncode == 0
    allocated = next(line for line in logged if " allocated region " in line["message"])
    assert allocated["bytes"] > 0 and allocated["region"] and "fargraph (process" in allocated["client"]
    assert [line["message"] for line in logged if line["source"].startswith("main.cc")] == ["stopping"]


def test_a_job_and_why_it_ends(fargraph, graph):
    done = fargraph("run", "bfs", graph, "--explain", "--log_format=json")
    plan, = objects(done.stderr)
    assert plan["severity"] == "INFO" and plan["message"].count("\n") > 3
    assert (plan["algorithm"], plan["graph"]) == ("bfs", "graph")

    failed = fargraph("run", "bfs", AWKWARD, "--log_format=json")
    assert failed.returncode == 3
    why, = objects(failed.stderr)
    assert why["severity"] == "ERROR" and why["graph"] == AWKWARD and AWKWARD in why["message"]
    assert "takes text or json" in fargraph.fails(2, "run", "bfs", graph, "--log_format=xml")
