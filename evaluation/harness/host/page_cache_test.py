import shutil
import subprocess

import pytest

from harness.host import page_cache


def said(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def cached_bytes(path):
    return int(said("fincore", "--bytes", "--noheadings", "--output=RES", path))


@pytest.mark.skipif(shutil.which("fincore") is None, reason="fincore is missing")
def test_nothing_of_a_file_stays_in_memory(tmp_path):
    if said("stat", "--file-system", "--format=%T", tmp_path) == "tmpfs":
        pytest.skip("temporary files are in memory alone")
    path = tmp_path / "file"
    path.write_bytes(bytes(1 << 20))
    assert cached_bytes(path) == 1 << 20
    page_cache.forget(path)
    assert cached_bytes(path) == 0
