"""What the command says when it is used wrongly, and what it says of itself."""

import pathlib

import pytest

COMMANDS = {
    "convert": ["IN", "OUT"],
    "generate": ["MODEL", "OUT"],
    "info": ["GRAPH"],
    "run": ["KERNEL", "GRAPH"],
    "plan": ["KERNEL", "GRAPH"],
    "place": ["GRAPH"],
    "regions": [],
    "probe": [],
    "replay": ["TRACE"],
    "doctor": [],
    "top": [],
}
KERNELS = ["apsp", "bc", "bfs", "kcore", "mis", "pagerank", "pagerank_delta", "radii", "spmv", "sssp", "triangles", "wcc"]


@pytest.mark.parametrize("arguments", [["help"], ["--help"], ["-h"]])
def test_help_lists_every_command_and_exit_code(fargraph, arguments):
    text = fargraph.ok(*arguments)
    for command in COMMANDS:
        assert f"  fargraph {command} " in text
    for code in [*range(11), 130]:
        assert f"\n{code:4}  " in text


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_is_the_same_both_ways(fargraph, command):
    text = fargraph.ok("help", command)
    assert text.startswith(" ".join(["usage: fargraph", command, *COMMANDS[command], "[flags]"]))
    assert text == fargraph.ok(command, "--help")


def test_help_of_run_lists_the_kernels_and_flags(fargraph):
    text = fargraph.ok("help", "run")
    for name in KERNELS:
        assert f"\n  {name} " in text
    for flag in ["memory_nodes", "transport", "far_ratio", "local_memory", "source", "sources", "iterations", "tolerance",
                 "delta", "output", "output_format", "verify", "verify_files", "json", "keep", "chunk_size", "buffers", "token_file",
                 "threads"]:
        assert f"\n  --{flag}" in text


def test_help_and_documents_name_the_kernels_of_each_flag(fargraph):
    listed = fargraph.ok("help", "run").partition("Flags that only some of them take:\n")[2].partition("\n\n")[0]
    assert "--iterations" in listed
    rows = (pathlib.Path(__file__).resolve().parents[2] / "docs/command-line.md").read_text().splitlines()
    for line in listed.splitlines():
        flag, _, kernels = line.strip().partition(" ")
        row = next(row for row in rows if row.startswith(f"| `{flag}="))
        assert {kernel for kernel in KERNELS if f"`{kernel}`" in row} == set(kernels.strip().split(", ")), row


def test_the_flags_of_libraries_are_not_ours(fargraph):
    assert "logtostderr" not in fargraph.ok("help", "run")
    assert "'--logtostderr'" in fargraph.fails(2, "info", "graph", "--logtostderr")


def test_version(fargraph):
    name, number = fargraph.ok("--version").split()
    assert name == "fargraph"
    assert number[0].isdigit()


def test_help_says_which_flags_may_stand_without_a_value(fargraph):
    for command in ("info", "plan", "probe", "replay", "doctor"):
        assert "\n  --json[=VALUE]\n" in fargraph.ok("help", command)
    assert "\n  --json=VALUE\n" in fargraph.ok("help", "run")


def test_no_command(fargraph):
    assert "a command is missing: convert, generate, info, run, plan, place, regions, probe, replay, doctor, top" in fargraph.fails(2)


def test_unknown_command(fargraph):
    assert fargraph.fails(2, "walk").startswith("there is no command 'walk'; there are convert,")
    assert fargraph.fails(2, "help", "walk").startswith("there is no command 'walk'")


@pytest.mark.parametrize("command", COMMANDS)
def test_missing_and_surplus_arguments(fargraph, command):
    given = []
    for argument in COMMANDS[command]:
        sentence = fargraph.fails(2, command, *given)
        assert sentence.startswith(f"{argument} is missing")
        assert f"fargraph help {command}" in sentence
        given.append("x")
    assert fargraph.fails(2, command, *given, "surplus").startswith("'surplus' is one argument too many")


@pytest.mark.parametrize("command", COMMANDS)
def test_unknown_flags(fargraph, command):
    assert "'--bogus=1'" in fargraph.fails(2, command, *COMMANDS[command], "--bogus=1")


@pytest.mark.parametrize("arguments", [
    ["info", "GRAPH", "--far_ratio=0.5"],
    ["run", "bfs", "GRAPH", "--symmetrize"],
    ["convert", "IN", "OUT", "--scale=5"],
    ["generate", "kron", "OUT", "--memory_nodes=h:1"],
    ["regions", "--memory_nodes=h:1", "--keep"],
])
def test_flags_of_other_commands(fargraph, arguments):
    assert f"'{arguments[-1]}'" in fargraph.fails(2, *arguments)


@pytest.mark.parametrize("arguments,sentence", [
    (["run", "dijkstra", "GRAPH"], "there is no algorithm 'dijkstra'; there are apsp, bc, bfs, kcore, mis, pagerank, pagerank_delta, radii, spmv, sssp, triangles, wcc"),
    (["run", "bfs", "GRAPH", "--far_ratio=1.5"], "--far_ratio cannot be '1.5': it takes a number from 0 to 1"),
    (["run", "bfs", "GRAPH", "--far_ratio=0.5"], "--far_ratio=0.5 needs somewhere to put the edges"),
    (["run", "bfs", "GRAPH", "--far_ratio"], "--far_ratio lacks its value"),
    (["run", "bfs", "GRAPH", "--far_ratio=0", "--local_memory=1GiB"], "--far_ratio and --local_memory both"),
    (["run", "bfs", "GRAPH", "--local_memory=lots"], "--local_memory cannot be 'lots'"),
    (["run", "bfs", "GRAPH", "--memory_nodes=nowhere"], "--memory_nodes: "),
    (["run", "bfs", "GRAPH", "--transport=pigeon"], "--transport cannot be 'pigeon'"),
    (["run", "bfs", "GRAPH", "--source=first"], "--source cannot be 'first'"),
    (["run", "bfs", "GRAPH", "--verify=perhaps"], "--verify cannot be 'perhaps'"),
    (["run", "bfs", "GRAPH", "--output=-", "--json=-"], "--output and --json both write to '-'"),
    (["run", "bfs", "GRAPH", "--iterations=1"], "bfs takes no --iterations; pagerank, pagerank_delta and spmv do"),
    (["run", "wcc", "GRAPH", "--source=4"], "wcc takes no --source; apsp, bc, bfs and sssp do"),
    (["run", "bfs", "GRAPH", "--sources=4"], "bfs takes no --sources; apsp and bc do"),
    (["run", "spmv", "GRAPH", "--tolerance=1"], "spmv takes no --tolerance; pagerank and pagerank_delta do"),
    (["run", "pagerank_delta", "GRAPH", "--precision=single"], "pagerank_delta takes no --precision; pagerank and spmv do"),
    (["plan", "bfs", "GRAPH", "--delta=2"], "bfs takes no --delta; sssp does"),
    (["run", "bfs", "GRAPH", "--keep"], "--keep leaves far edges on memory nodes, and there are none"),
    (["run", "bfs", "GRAPH", "--transport=tcp"], "--transport=tcp is the way to memory nodes; name --memory_nodes"),
    (["run", "bfs", "GRAPH", "--output_format=binary"], "--output_format=binary is how to write the results"),
    (["generate", "kron", "OUT", "--a=0.3"], "kron takes no --a; rmat does"),
    (["generate", "uniform", "OUT", "--rewire=0.3"], "uniform takes no --rewire; smallworld does"),
    (["convert", "IN", "OUT", "--sort_memory=1KiB"], "--sort_memory cannot be '1KiB'"),
    (["convert", "IN", "OUT", "--heads=65"], "--heads cannot be '65': it takes a whole number from 0 to 64"),
    (["convert", "IN", "OUT", "--heads=-1"], "--heads cannot be '-1': it takes a whole number from 0 to 64"),
    (["convert", "IN", "OUT", "--order=alphabet"], "--order cannot be 'alphabet'"),
    (["generate", "hypercube", "OUT"], "hypercube"),
    (["generate", "kron", "OUT", "--scale=0"], "0"),
    (["generate", "kron", "OUT", "--degree=many"], "--degree cannot be 'many': it takes a whole number from 1"),
    (["generate", "kron", "OUT", "--seed=-1"], "--seed cannot be '-1': it takes a whole number from 0"),
    (["regions"], "--memory_nodes is missing"),
    (["probe"], "--memory_nodes or --ssd_dirs is missing"),
    (["probe", "--memory_nodes=h:1", "--ssd_dirs=a"], "--memory_nodes and --ssd_dirs are two links"),
    (["run", "bfs", "GRAPH", "--ssd_dirs=a", "--keep"], "--keep leaves far edges on memory nodes"),
    (["probe", "--memory_nodes=h:1", "--transport=pigeon"], "--transport cannot be 'pigeon'"),
    (["probe", "--memory_nodes=h:1", "--threads=-1"], "--threads cannot be '-1'"),
    (["regions", "--memory_nodes=h:1", "--free=x", "--free_all"], "--free and --free_all"),
    (["replay", "TRACE", "--block_size=1000"], "--block_size cannot be '1000': it takes a power of two from 512B to 64KiB"),
    (["replay", "TRACE", "--merge_gap=wide"], "--merge_gap cannot be 'wide'"),
    (["replay", "TRACE", "--request_size=2KiB", "--block_size=4KiB"], "--request_size cannot be '2KiB'"),
    (["replay", "TRACE", "--depth=0"], "--depth cannot be '0': it takes a whole number from 1 to 128"),
    (["replay", "TRACE", "--window=-1"], "--window cannot be '-1'"),
])
def test_bad_values(fargraph, arguments, sentence):
    assert sentence in fargraph.fails(2, *arguments)
    assert not list(fargraph.folder.iterdir())
