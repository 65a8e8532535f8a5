"""The Debian packages: what is in them, and that a program outside of this tree builds against them, with CMake and with
pkg-config. They are unpacked beside the system, never installed. FARGRAPH_PACKAGES names their folder."""

import gzip
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
PACKAGES = pathlib.Path(os.environ.get("FARGRAPH_PACKAGES", REPOSITORY / "build/portable/packages"))


def output_of(*command, **kwargs):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=300, **kwargs)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def package(name):
    found = sorted(PACKAGES.glob(f"{name}_*.deb"))
    assert len(found) == 1, f"make the packages anew: {PACKAGES} has {len(found)} of {name}"
    return found[0]


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """Both packages, unpacked."""
    folder = tmp_path_factory.mktemp("root")
    for name in ["fargraph", "fargraph-dev"]:
        output_of("dpkg-deb", "--extract", package(name), folder)
    return folder


@pytest.fixture(scope="module")
def graph(root, tmp_path_factory):
    folder = tmp_path_factory.mktemp("graph") / "kron"
    output_of(root / "usr/bin/fargraph", "generate", "kron", folder, "--scale=10")
    return folder


def commands(root):
    text = output_of(root / "usr/bin/fargraph", "help")
    return re.findall(r"^  fargraph (\w+) .*\[flags\]$", text, flags=re.MULTILINE)


def man_page(root, name):
    """The text of a man page without its markup."""
    with gzip.open(root / f"usr/share/man/man1/{name}.1.gz", "rt") as page:
        return re.sub(r"\\f[BIR]|\\,|\\/", "", page.read()).replace("\\-", "-")


def flags(help_text):
    return re.findall(r"^  (--\w+)(?:\[?=VALUE\]?)?$", help_text, flags=re.MULTILINE)


def test_every_command_has_a_man_page_with_every_flag(root):
    assert {"convert", "run", "probe"} <= set(commands(root))
    helps = {f"fargraph-{command}": [root / "usr/bin/fargraph", "help", command] for command in commands(root)}
    helps["fargraph-memory-node"] = [root / "usr/bin/fargraph-memory-node", "--help"]
    for name, command in helps.items():
        page = man_page(root, name)
        assert f"\n{name} - " in page.replace("\\", "")
        expected = flags(output_of(*command))
        assert expected and [flag for flag in expected if f"\n{flag}" not in page] == []
    assert "fargraph-run(1)" in man_page(root, "fargraph")


@pytest.mark.parametrize("name", ["paged_run", "partition_graph", "write_pairs"])
def test_the_evaluation_finds_its_programs(root, name):
    """In a checkout that nobody has built."""
    script = f"from harness import programs; print(programs.of_evaluation('{name}'))"
    found = output_of(sys.executable, "-c", script, cwd=REPOSITORY / "evaluation",
                      env={**os.environ, "FARGRAPH_BIN_DIR": str(root / "usr/bin")}).strip()
    assert found.startswith(str(root))
    done = subprocess.run([found], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode in [2, 8] and name in done.stderr  # usage, or what it lacks on this host


def completions(root, *words):
    """What bash offers for the last of the words."""
    script = root / f"usr/share/bash-completion/completions/{words[0]}"
    code = f'source "{script}"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _fargraph "$1"; printf "%s\\n" "${{COMPREPLY[@]}}"'
    environment = {**os.environ, "PATH": f"{root}/usr/bin:{os.environ['PATH']}"}
    return output_of("bash", "-c", code, "bash", *words, env=environment).split()


def test_completion_offers_what_help_says(root, tmp_path, monkeypatch):
    assert set(commands(root)) < set(completions(root, "fargraph", ""))
    assert completions(root, "fargraph", "conv") == ["convert"]
    assert completions(root, "fargraph", "help", "conv") == ["convert"]
    assert completions(root, "fargraph", "run", "bf") == ["bfs"]
    assert completions(root, "fargraph", "generate", "kr") == ["kron"]
    assert completions(root, "fargraph", "run", "bfs", "graph", "--verify") == ["--verify", "--verify_files"]
    assert completions(root, "fargraph-memory-node", "--cap") == ["--capacity="]
    offered = completions(root, "fargraph", "run", "bfs", "graph", "--")
    assert [flag.rstrip("=") for flag in offered] == flags(output_of(root / "usr/bin/fargraph", "help", "run"))
    (tmp_path / "edges.txt").touch()
    monkeypatch.chdir(tmp_path)
    assert completions(root, "fargraph", "convert", "edg") == ["edges.txt"]
    assert completions(root, "fargraph", "info", "graph", "--json", "=", "edg") == ["edges.txt"]


def build_with_cmake(root, source, build):
    output_of("cmake", "-S", source, "-B", build, f"-DCMAKE_PREFIX_PATH={root}/usr", "-DCMAKE_BUILD_TYPE=Release")
    output_of("cmake", "--build", build)


def build_with_pkg_config(root, source, build):
    shutil.copytree(source, build)
    output_of("make", "-C", build, "bfs_iterator", env={**os.environ, "PKG_CONFIG_PATH": f"{root}/usr/lib/pkgconfig"})


def rows(output):
    return [line.split() for line in output.splitlines() if not line.startswith("#")]


@pytest.mark.parametrize("build_with", [build_with_cmake, build_with_pkg_config])
def test_a_program_outside_of_this_tree(root, graph, tmp_path, build_with):
    """The example that fargraph-dev ships finds the levels that the command finds."""
    source = root / "usr/share/doc/fargraph-dev/examples"
    build_with(root, source, tmp_path / "build")
    found = output_of(tmp_path / "build/bfs_iterator", graph, 1)
    output_of(root / "usr/bin/fargraph", "run", "bfs", graph, "--source=1", f"--output={tmp_path}/bfs.txt")
    levels = rows(found)
    assert levels == [row[:2] for row in rows((tmp_path / "bfs.txt").read_text())]
    assert len(levels) == 1024


def test_a_c_program_outside_of_this_tree(root, tmp_path):
    """The directives' C interface, compiled as C."""
    (tmp_path / "directives.c").write_text("""
        #include <stdio.h>
        #include "compute_node/fargraph_c.h"
        int main(void) { return puts(fargraph_error()) < 0; }
        """)
    environment = {**os.environ, "PKG_CONFIG_PATH": f"{root}/usr/lib/pkgconfig"}
    options = output_of("pkg-config", "--cflags", "--libs", "fargraph", env=environment).split()
    output_of("gcc", tmp_path / "directives.c", *options, "-o", tmp_path / "directives")
    assert output_of(tmp_path / "directives") == "\n"


def test_all_headers_compile_and_none_is_for_tests(root, tmp_path):
    folder = root / "usr/include/fargraph"
    headers = sorted(folder.rglob("*.h"))
    assert folder / "compute_node/open_graph.h" in headers
    names = [str(header.relative_to(folder)) for header in headers]
    assert [name for name in names if re.search(r"\b(fake_|test_|testing/)|_test_util|_for_test", name)] == []
    environment = {**os.environ, "PKG_CONFIG_PATH": f"{root}/usr/lib/pkgconfig"}
    options = output_of("pkg-config", "--cflags", "fargraph", env=environment).split()
    (tmp_path / "all.cc").write_text("".join(f'#include "{name}"\n' for name in names))
    output_of("g++", "-std=c++20", "-fsyntax-only", *options, tmp_path / "all.cc")


def test_what_the_packages_need(root):
    field = lambda name, of: output_of("dpkg-deb", "--field", package(of), name)
    runtime = field("Depends", "fargraph")
    assert "librdmacm1" in runtime and "-dev" not in runtime
    for needed in ["libgrpc++-dev", "protobuf-compiler-grpc"]:  # find_package(gRPC) fails without the second
        assert needed in field("Depends", "fargraph-dev")
    assert field("Version", "fargraph").strip() == output_of(root / "usr/bin/fargraph", "--version").split()[1]


def test_lintian_finds_no_error():
    output_of("lintian", "--fail-on=error", "--allow-root", package("fargraph"), package("fargraph-dev"))
