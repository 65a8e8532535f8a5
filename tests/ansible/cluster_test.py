"""The playbooks of deploy/ansible, on two memory nodes and a compute node, from bare hosts to bare hosts again. The tests
build on each other, in this order."""

import json
import os
import pathlib
import random
import re

import pytest

from cluster import PLAYBOOKS, Cluster, run

GROUPS = {"memory_nodes": ["far1", "far2"], "compute_nodes": ["near1"]}
UNIT = "fargraph-memory-node.service"
PARTS = ["partition", "--rows=2", "--columns=2", "--devices=2", "--rounds=1", "--patience=0",
         "--graph=kron10=/var/lib/fargraph/graphs/evaluation"]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    if "FARGRAPH_TEST_LAYERS" not in os.environ:
        pytest.skip("these tests are started by tests/ansible/run")
    variables = {"fargraph_memory_node_capacity": "64MiB", "fargraph_operators": ["analyst"],
                 "fargraph_memory_node_log_format": "json",
                 "fargraph_apt_cache_valid_seconds": 10**9}  # the hosts reach no Debian mirror
    disk = {"/disk": tmp_path_factory.mktemp("disk")}  # a file system that can be swapped to, as an overlay cannot
    made = Cluster(tmp_path_factory.mktemp("cluster"), GROUPS, variables, binds={"near1": disk})
    for host in made.hosts.values():
        host.ssh("useradd", "analyst")
    yield made
    made.stop()


def recap(output):
    """changed and failed by host, of the closing lines of ansible-playbook."""
    rows = re.findall(r"^(\w+) +: ok=\d+ +changed=(\d+) +unreachable=(\d+) +failed=(\d+)", output, flags=re.MULTILINE)
    assert rows, output
    return {host: (int(changed), int(unreachable) + int(failed)) for host, changed, unreachable, failed in rows}


def test_memory_nodes_are_named_as_the_commands_take_them(cluster):
    variables = {"fargraph_memory_node_address": "fd00::7"}
    said = run("ansible", "--inventory", cluster.folder / "hosts.yml", "--playbook-dir", PLAYBOOKS, "far1", "--module-name",
               "debug", "--args", "var=fargraph_memory_nodes", "--extra-vars", json.dumps(variables)).stdout
    assert '"fargraph_memory_nodes": "[fd00::7]:7800,[fd00::7]:7800"' in said
    said = run("ansible", "--inventory", cluster.folder / "hosts.yml", "--playbook-dir", PLAYBOOKS, "far1", "--module-name",
               "debug", "--args", "var=fargraph_memory_nodes").stdout
    assert '"fargraph_memory_nodes": "10.97.0.11:7800,10.97.0.12:7800"' in said


def test_check_mode_tells_changes_and_makes_none(cluster):
    told = recap(cluster.play("site.yml", "--check"))
    assert all(changed > 0 and failed == 0 for changed, failed in told.values())
    for host in cluster.hosts.values():
        assert host.ssh("test -e /etc/fargraph -o -e /usr/bin/fargraph", check=False).returncode == 1


def test_site_makes_a_cluster(cluster):
    output = cluster.play("site.yml")
    assert all(failed == 0 for _, failed in recap(output).values())
    for name in GROUPS["memory_nodes"]:
        host = cluster.hosts[name]
        assert host.ssh("systemctl is-enabled", UNIT).stdout == "enabled\n"
        assert host.ssh("systemctl show --value --property=LimitMEMLOCK", UNIT).stdout == "infinity\n"
        assert host.ssh("systemd-analyze verify --man=no", f"/etc/systemd/system/{UNIT}").stdout == ""
        assert "User=fargraph" in host.ssh("systemctl show --property=User", UNIT).stdout
        assert host.ssh("systemctl show --value --property=StartLimitIntervalUSec", UNIT).stdout == "0\n"


def test_the_journal_of_a_memory_node_is_json(cluster):
    said = cluster.hosts["far1"].ssh("journalctl --output=cat --unit", UNIT, "_COMM=fargraph-memory").stdout.splitlines()
    assert any(json.loads(line)["message"].startswith("listening on ") for line in said)


def test_site_again_changes_nothing(cluster):
    assert set(recap(cluster.play("site.yml")).values()) == {(0, 0)}
    told = recap(cluster.play("site.yml", "--check", "--tags", "memory_node,compute_node"))
    assert set(told.values()) == {(0, 0)}


def test_another_build_of_the_same_version_is_installed(cluster, tmp_path):
    [package] = (PLAYBOOKS.parents[1] / "build/portable/packages").glob("fargraph_*.deb")
    run("dpkg-deb", "--raw-extract", package, tmp_path / "contents")
    (tmp_path / "contents/usr/bin/fargraph-another-build").write_text("")
    run("dpkg-deb", "-Znone", "--build", tmp_path / "contents", tmp_path / "fargraph_another.deb")
    arguments = ["--tags", "common", "--limit", "far2", "--extra-vars", f"fargraph_package={tmp_path}/fargraph_another.deb"]
    cluster.play("site.yml", *arguments)
    cluster.hosts["far2"].ssh("test -e /usr/bin/fargraph-another-build")
    assert recap(cluster.play("site.yml", *arguments)) == {"far2": (0, 0)}


def test_a_memory_node_that_is_to_have_rdma_waits_for_it(cluster):
    output = cluster.play("site.yml", "--check", "--diff", "--tags", "memory_node", "--limit", "far1", "--extra-vars",
                          "fargraph_rdma=require")
    assert re.search(r"^\+ +--transports=verbs,shm,tcp ", output, flags=re.MULTILINE)


def test_a_memory_node_that_was_killed_comes_back(cluster):
    far = cluster.hosts["far1"]
    first = far.ssh("systemctl show --value --property=MainPID", UNIT).stdout
    far.ssh("systemctl kill --signal=KILL", UNIT)
    far.ssh(f"until systemctl is-active --quiet {UNIT}; do sleep 0.2; done")
    assert far.ssh("systemctl show --value --property=MainPID", UNIT).stdout != first


def test_a_memory_node_older_than_its_configuration_is_started_anew(cluster):
    far = cluster.hosts["far1"]
    first = far.ssh("systemctl show --value --property=MainPID", UNIT).stdout
    far.ssh("touch /etc/tmpfiles.d/fargraph.conf")  # as of a run that wrote it and broke off
    arguments = ["--tags", "memory_node", "--limit", "far1"]
    assert recap(cluster.play("site.yml", *arguments)) == {"far1": (1, 0)}
    assert far.ssh("systemctl show --value --property=MainPID", UNIT).stdout != first
    assert recap(cluster.play("site.yml", *arguments)) == {"far1": (0, 0)}


def test_operators_may_use_the_memory_nodes(cluster):
    job = "ulimit -l; fargraph regions --memory_nodes=\\$FARGRAPH_MEMORY_NODES --token_file=/etc/fargraph/token"
    limit = cluster.hosts["near1"].ssh(f'runuser -l analyst -c "{job}"').stdout.splitlines()[0]
    if run("prlimit", "--memlock=unlimited:unlimited", "true", check=False).returncode == 0:  # else no host may raise it
        assert limit == "unlimited"
    assert cluster.hosts["near1"].ssh("runuser -u nobody -- cat /etc/fargraph/token", check=False).returncode != 0


def test_run_runs_a_job_across_the_nodes(cluster, tmp_path):
    generator = random.Random(1)
    edges = tmp_path / "edges.txt"
    edges.write_text("".join(f"{generator.randrange(2000)} {generator.randrange(2000)}\n" for _ in range(60_000)))
    variables = {"fargraph_job_kernel": "pagerank", "fargraph_job_graph": "/var/lib/fargraph/graphs/random",
                 "fargraph_job_input": str(edges)}
    output = cluster.play("run.yml", "--extra-vars", json.dumps(variables))
    report = json.loads(cluster.hosts["near1"].ssh("cat /var/lib/fargraph/job.json").stdout)
    assert report["verified"] and report["transport"] == "tcp" and report["bytes_fetched"] > 0
    assert abs(report["far_ratio"] - 0.8) < 0.1
    assert '"algorithm": "pagerank"' in output


def test_evaluate_does_what_is_missing(cluster):
    variables = {"fargraph_evaluation_kernels": ["bfs"], "fargraph_evaluation_far_ratios": [0, 1],
                 "fargraph_evaluation_trials": 1, "fargraph_evaluation_generate": ["kron", "--scale=10"], "fargraph_evaluation_packages": [],
                 "fargraph_evaluation_commands": [{"name": "parts", "argv": PARTS}]}
    cluster.play("evaluate.yml", "--extra-vars", json.dumps(variables))
    results = [json.loads(line) for line in (cluster.folder / "results.jsonl").read_text().splitlines()]
    assert [result["far_ratio"] for result in results] == [0, 1]
    assert all(result["verified"] and result["machine"]["host"] == "near1" for result in results)
    parts = json.loads((cluster.folder / "parts/partition.json").read_text())
    assert len(parts["runs"]) == 1
    assert recap(cluster.play("evaluate.yml", "--extra-vars", json.dumps(variables))) == {"near1": (0, 0)}
    other = {"fargraph_evaluation_kernels": [], "fargraph_evaluation_commands": [{"name": "parts", "argv": [*PARTS, "--rounds=2"]}]}
    cluster.play("evaluate.yml", "--extra-vars", json.dumps({**variables, **other}))
    assert len(json.loads((cluster.folder / "parts/partition.json").read_text())["runs"]) == 2


def test_huge_pages_are_reserved_and_given_back(cluster):
    sysctl = pathlib.Path("/proc/sys/vm/nr_hugepages")
    before = int(sysctl.read_text())
    variables = {"fargraph_huge_pages": [{"size": "2MiB", "count": before + 4}]}
    arguments = ["--tags", "hugepages", "--limit", "far1", "--extra-vars", json.dumps(variables)]
    try:
        cluster.play("site.yml", *arguments)
        assert int(sysctl.read_text()) == before + 4
        assert recap(cluster.play("site.yml", *arguments)) == {"far1": (0, 0)}
        cluster.play("site.yml", *arguments[:-2])  # of an inventory that wants none any more
        assert int(sysctl.read_text()) < before + 4
        assert recap(cluster.play("site.yml", *arguments[:-2])) == {"far1": (0, 0)}
    finally:
        sysctl.write_text(str(before))  # this machine's own


def test_swap_to_disk(cluster):
    variables = {"fargraph_swap": "disk", "fargraph_swap_gib": 0.01, "fargraph_swap_file": "/disk/swap"}
    arguments = ["--tags", "baselines", "--extra-vars", json.dumps(variables)]
    near = cluster.hosts["near1"]
    if near.ssh("stat --file-system --format=%T /disk").stdout.strip() in ["tmpfs", "overlayfs"]:
        pytest.skip("pytest's folder is on a file system that cannot be swapped to")
    try:
        cluster.play("site.yml", *arguments)
        assert near.ssh("swapon --show=NAME --noheadings").stdout == "/disk/swap\n"
        assert recap(cluster.play("site.yml", *arguments))["near1"] == (0, 0)
    finally:
        near.ssh("swapoff /disk/swap", check=False)  # this machine's too


def test_swap_on_far_memory_is_left_out_where_it_cannot_be(cluster):
    if pathlib.Path("/sys/class/infiniband").exists():
        pytest.skip("this machine has an RDMA device")
    output = cluster.play("site.yml", "--tags", "baselines", "--extra-vars", "fargraph_swap=far")
    assert "SKIPPED: no swap on far memory: near1 has no RDMA device" in " ".join(output.split())
    assert recap(output)["near1"] == (0, 0)


def test_a_host_without_rdma_is_told_so(cluster):
    if pathlib.Path("/sys/class/infiniband").exists():
        pytest.skip("this machine has an RDMA device")
    output = cluster.play("site.yml", "--tags", "rdma", "--extra-vars", "fargraph_rdma=require", check=False)
    assert "far1 has no RDMA device in /sys/class/infiniband and fargraph_rdma is require" in " ".join(output.split())


def test_teardown_leaves_graphs_alone(cluster):
    assert all(failed == 0 for _, failed in recap(cluster.play("teardown.yml")).values())
    for host in cluster.hosts.values():
        assert host.ssh("ls -d /usr/bin/fargraph /etc/fargraph /etc/systemd/system/fargraph*", check=False).returncode == 2
        assert host.ssh("systemctl is-active", UNIT, check=False).stdout == "inactive\n"
        assert host.ssh("getent passwd fargraph", check=False).returncode != 0
    cluster.hosts["near1"].ssh("test -d /var/lib/fargraph/graphs/random")
    assert set(recap(cluster.play("teardown.yml")).values()) == {(0, 0)}
