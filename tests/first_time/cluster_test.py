"""docs/cluster.md as its reader does it: from the user's root, on two hosts that have nothing but sshd and Python.
tests/first_time/run starts it."""

import os
import pathlib
import shutil

import pytest

from cluster import Cluster, run

HERE = pathlib.Path(__file__).resolve().parent
DOCUMENT = HERE.parents[1] / "docs/cluster.md"
GROUPS = {"memory_nodes": ["far"], "compute_nodes": ["near"]}


def documented(number):
    return run(HERE / "commands", DOCUMENT, "Two hosts", number).stdout


@pytest.fixture(scope="module")
def user(tmp_path_factory):
    """What the user types at the controller, whose key the hosts know; the hosts end with the test."""
    if "FARGRAPH_TEST_USER" not in os.environ:
        pytest.skip("this test is started by tests/first_time/run")
    root = pathlib.Path(os.environ["FARGRAPH_TEST_USER"])
    cluster = Cluster(tmp_path_factory.mktemp("cluster"), GROUPS, {})
    ssh = root / "root/.ssh"
    ssh.mkdir(mode=0o700, exist_ok=True)
    shutil.copy(cluster.folder / "key", ssh / "id_ed25519")
    (ssh / "config").write_text("StrictHostKeyChecking accept-new\n")  # the user says yes
    names = "".join(f"{host.address} {name}.example.org\n" for name, host in cluster.hosts.items())
    (root / "etc/hosts").write_text(f"127.0.0.1 localhost\n{names}")
    for host in cluster.hosts.values():
        host.ssh(f"cat >>/etc/hosts <<'NAMES'\n{names}NAMES")  # there is no DNS
    (root / "root/fargraph/my-cluster/hosts.yml").write_text(documented(2).replace("64GiB", "64MiB"))

    def typed(commands):
        return run("unshare", "--mount", "--pid", "--uts", "--ipc", "--fork", "--kill-child", HERE / "enter", root, "bash",
                   "-euxo", "pipefail", "-c", f"cd /root/fargraph/deploy/ansible; {commands}").stdout

    yield typed
    cluster.stop()


def test_two_hosts(user):
    site = [line for line in documented(1).splitlines() if line.startswith("ansible-playbook")]
    assert len(site) == 2
    for command in site:
        assert "failed=0" in user(command)

    user("cp ../../edges.txt $HOME/web.txt")
    assert "verified: true" in user(documented(3)).replace('"', "").replace("True", "true")

    job = documented(4)
    assert "verified         yes" in user(f"ssh near.example.org 'bash -l -s' <<'TYPED'\n{job}TYPED\n")
