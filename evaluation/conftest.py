"""What the tests of the commands share."""

import pathlib
import subprocess

import pytest

HERE = pathlib.Path(__file__).resolve().parent


def run_command(name, *arguments, folder):
    """Runs a command of this folder, which has to succeed, and writes into `folder`."""
    done = subprocess.run([HERE / name, *map(str, arguments)], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done


@pytest.fixture(scope="session")
def command():
    return run_command


@pytest.fixture(scope="session")
def graphs(tmp_path_factory):
    """A folder with kron10 and urand10, and their conversions with other numbers of heads."""
    folder = tmp_path_factory.mktemp("graphs")
    run_command("graphs", folder, "kron10", "urand10", "--heads=0,1,2,4,8", folder=folder)
    return folder
