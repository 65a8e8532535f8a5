"""A cluster of namespaces: hosts with systemd and sshd on a bridge, whose controller is this process. tests/ansible/run
starts it where nobody else sees it."""

import os
import pathlib
import shutil
import signal
import subprocess
import time

import yaml

HERE = pathlib.Path(__file__).resolve().parent
PLAYBOOKS = HERE.parents[1] / "deploy/ansible"
NETWORK = "10.97.0"
PATIENCE_SECONDS = 60

# Of what is enabled on this machine nothing runs on the hosts but what they need.
TARGET = """[Unit]
Requires=sysinit.target ssh.service
After=sysinit.target ssh.service
AllowIsolate=yes
"""


def run(*command, check=True, **kwargs):
    done = subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, **kwargs)
    assert not check or done.returncode == 0, f"{command}: {done.stdout}"
    return done


class Host:
    def __init__(self, name, number, layers, cgroup, key, binds):
        self.name, self.address, self._key = name, f"{NETWORK}.{number}", key
        folder = layers / name
        root = folder / "root"
        for part in ["upper", "work", "root"]:
            (folder / part).mkdir(parents=True)
        run("mount", "-t", "overlay", "overlay", root, "-o",
            f"lowerdir={layers}/base/upper:{os.environ['FARGRAPH_TEST_ROOT']},upperdir={folder}/upper,workdir={folder}/work")
        self._configure(root)
        for inside, outside in binds.items():
            (root / inside.lstrip("/")).mkdir(parents=True)
            run("mount", "--bind", outside, root / inside.lstrip("/"))
        run("ip", "netns", "add", name)
        run("ip", "link", "add", f"to-{name}", "master", "bridge", "type", "veth", "peer", "name", "eth0", "netns", name)
        run("ip", "link", "set", f"to-{name}", "up")
        run("ip", "-n", name, "address", "add", f"{self.address}/24", "dev", "eth0")
        run("ip", "-n", name, "link", "set", "lo", "up")
        run("ip", "-n", name, "link", "set", "eth0", "up")
        run("ip", "-n", name, "route", "add", "default", "via", f"{NETWORK}.1")
        group = cgroup / name
        group.mkdir()
        self._log = open(folder / "log", "w")
        # The shell enters the cgroup before its namespace is made, so that the host sees it as the root.
        self._process = subprocess.Popen(
            ["sh", "-c", 'echo $$ >"$0/cgroup.procs" && exec "$@"', group, "ip", "netns", "exec", name, "unshare", "--mount",
             "--pid", "--uts", "--ipc", "--cgroup", "--fork", "--kill-child", "--propagation=private", HERE / "host", root,
             name], stdin=subprocess.DEVNULL, stdout=self._log, stderr=subprocess.STDOUT)

    def _configure(self, root):
        (root / "etc/hostname").write_text(f"{self.name}\n")
        (root / "etc/hosts").write_text(f"127.0.0.1 localhost\n{self.address} {self.name}\n")
        (root / "etc/machine-id").write_text("")
        (root / "etc/systemd/system/test-host.target").write_text(TARGET)
        (root / "root/.ssh").mkdir(mode=0o700, exist_ok=True)
        shutil.copy(f"{self._key}.pub", root / "root/.ssh/authorized_keys")

    def ssh(self, *command, check=True):
        options = ["-i", self._key, "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o",
                   "LogLevel=ERROR", "-o", "ConnectTimeout=5"]
        return run("ssh", *options, f"root@{self.address}", *command, check=check)

    def await_ssh(self):
        end = time.monotonic() + PATIENCE_SECONDS
        while self.ssh("true", check=False).returncode != 0:
            assert self._process.poll() is None and time.monotonic() < end, f"{self.name} does not answer on ssh"
            time.sleep(0.2)

    def stop(self):
        self._process.send_signal(signal.SIGKILL)  # and with it its namespace
        self._process.wait()
        self._log.close()


class Cluster:
    """`groups` are host names by group of the inventory, `variables` the inventory's."""

    def __init__(self, folder, groups, variables, binds=None):
        layers, cgroup = (pathlib.Path(os.environ[f"FARGRAPH_TEST_{name}"]) for name in ["LAYERS", "CGROUP"])
        self.folder, key = folder, folder / "key"
        run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key)
        run("mount", "-t", "tmpfs", "tmpfs", "/run")  # ip keeps names of namespaces there
        run("ip", "link", "set", "lo", "up")
        run("ip", "link", "add", "bridge", "type", "bridge")
        run("ip", "address", "add", f"{NETWORK}.1/24", "dev", "bridge")
        run("ip", "link", "set", "bridge", "up")
        names = [name for group in groups.values() for name in group]
        self.hosts = {name: Host(name, 11 + i, layers, cgroup, key, (binds or {}).get(name, {}))
                      for i, name in enumerate(names)}
        for host in self.hosts.values():
            host.await_ssh()
        self._write_inventory(groups, variables, key)

    def _write_inventory(self, groups, variables, key):
        connection = {"ansible_user": "root", "ansible_ssh_private_key_file": str(key),
                      "ansible_ssh_common_args": "-o UserKnownHostsFile=/dev/null"}
        children = {group: {"hosts": {name: {"ansible_host": self.hosts[name].address} for name in names}}
                    for group, names in groups.items()}
        inventory = {"all": {"vars": {**connection, **variables}, "children": children}}
        (self.folder / "hosts.yml").write_text(yaml.safe_dump(inventory))

    def play(self, playbook, *arguments, check=True):
        """Runs a playbook of deploy/ansible and returns what it says. Facts of hosts are gathered by the first one alone."""
        environment = {**os.environ, "ANSIBLE_HOST_KEY_CHECKING": "false", "ANSIBLE_CONFIG": str(PLAYBOOKS / "ansible.cfg"),
                       "HOME": str(self.folder), "ANSIBLE_FORKS": "4", "ANSIBLE_GATHERING": "smart",
                       "ANSIBLE_CACHE_PLUGIN": "jsonfile", "ANSIBLE_CACHE_PLUGIN_CONNECTION": str(self.folder / "facts")}
        return run("ansible-playbook", "--inventory", self.folder / "hosts.yml", PLAYBOOKS / playbook, *arguments,
                   check=check, env=environment).stdout

    def stop(self):
        for host in self.hosts.values():
            host.stop()
