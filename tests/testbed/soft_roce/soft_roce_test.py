"""The role rdma on a host whose kernel has Soft-RoCE: what Ansible says of each play of plays.yml in the testbed's machine."""

import json
import os
import pathlib
import re
import subprocess

import pytest

HERE = pathlib.Path(__file__).resolve().parent
CHECKOUT = HERE.parents[2]
MACHINE = [CHECKOUT / "tests/testbed/run", "--timeout=600"]
SETTINGS = {"ANSIBLE_ROLES_PATH": str(CHECKOUT / "deploy/ansible/roles"), "ANSIBLE_PIPELINING": "true", "ANSIBLE_NOCOLOR": "true",
            "ANSIBLE_CONNECTION_PLUGINS": str(HERE / "connection_plugins")}


def play(folder):
    """What Ansible prints, that reaches the machine through this folder."""
    machine = subprocess.Popen([*MACHINE, f"--output={folder}", "--", HERE / "host"], cwd=CHECKOUT, stdin=subprocess.DEVNULL)
    try:
        done = subprocess.run(["ansible-playbook", "--verbose", "--inventory", HERE / "hosts.yml", "--skip-tags", "rdma_drivers",
                               "--extra-vars", f"testbed_folder={folder}", HERE / "plays.yml"],
                              env={**os.environ, **SETTINGS}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
    finally:
        (folder / "end").touch()
        machine.wait()
    assert (done.returncode, machine.returncode) == (0, 0), done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def plays(tmp_path_factory):
    """What is printed of each play, by its name."""
    printed = play(tmp_path_factory.mktemp("machine"))
    return dict(re.findall(r"^PLAY \[(.*?)\] \**\n(.*?)(?=^PLAY )", printed, flags=re.MULTILINE | re.DOTALL))


def changed(play):
    """The tasks that changed something."""
    return re.findall(r"^TASK \[(.*?)\] \**\nchanged: ", play, flags=re.MULTILINE)


def output(play, task):
    """What a task's command printed."""
    printed = re.search(rf'^TASK \[{task}\] \**\n.*"stdout": ("(?:[^"\\]|\\.)*")', play, flags=re.MULTILINE)
    return json.loads(printed.group(1)).strip()


def test_an_interface_that_is_not_there_is_named(plays):
    assert "near1 has no network interface 'nosuch' to make a Soft-RoCE device of; set fargraph_soft_roce_interface" in \
        plays["No such interface"]
    assert changed(plays["No such interface"]) == []


def test_an_interface_that_is_down_is_named_with_what_sets_it_up(plays):
    assert "The network interface veth0 of near1 is lowerlayerdown" in plays["Link down"]
    assert "`ip link set dev veth0 up`" in plays["Link down"]
    assert changed(plays["Link down"]) == []


def test_the_first_run_makes_a_device_that_jobs_can_use(plays):
    play = plays["First run"]
    assert "link fargraph_rxe/1 state ACTIVE physical_state LINK_UP netdev veth0" in output(play, "Devices")
    assert output(play, "Service") == "active"
    assert "rdma : Make it now and at every boot" in changed(play)
    for line in [r"ok +RDMA device +fargraph_rxe", r"ok +GID +.*10\.0\.0\.1", r"ok +RDMA MTU +4096", r"ok +RDMA access"]:
        assert re.search(f'"{line}', play), line


def test_a_second_run_changes_nothing(plays):
    assert changed(plays["Second run"]) == []
    assert output(plays["Second run"], "Devices") == output(plays["First run"], "Devices")


def test_teardown_removes_it(plays):
    assert output(plays["Teardown"], "Devices") == ""
    assert output(plays["Teardown"], "Files") == ""
