"""replay: a block trace, four ways to read it, as a table and as JSON; and what is wrong with a trace."""

import gzip
import json

import pytest

# Units 0 and 3; block 8 twice, blocks 10 and 12 near it, the rest far away.
TRACE = "0,8,512,R,0.0\n3,0,4096,W,0.5\n0,10,512,r,1.0,more\n0,4000,1024,R,1.5\n0,8,512,w,2.0\n0,12,512,R,2.5\n"


@pytest.fixture
def trace(fargraph):
    (fargraph.folder / "a.spc").write_text(TRACE)
    return "a.spc"


def replay(fargraph, trace, *flags):
    """The report, and its ways by name."""
    report = json.loads(fargraph.ok("replay", trace, "--json", *flags))
    return report, {way["way"]: way for way in report["ways"]}


def test_the_report_counts_what_each_way_reads(fargraph, trace):
    report, ways = replay(fargraph, trace)
    assert {"trace": trace, "requests": 6, "writes": 2, "asked_bytes": 7168, "units": 2, "trace_seconds": 2.5,
            "block_bytes": 512, "merge_gap_bytes": 8192, "request_bytes": 262144, "window": 6}.items() <= report.items()
    assert report["device_bytes"] == (4002 * 512 + 4095) // 4096 * 4096 + 4096
    assert list(ways) == ["direct", "batch", "list", "bitmap"]
    assert (ways["direct"]["requests"], ways["direct"]["bytes"], ways["direct"]["useful_bytes"]) == (6, 7168, 7168)
    for way in ("batch", "list", "bitmap"):  # blocks 8 to 12; 4000 and 4001, and behind a gap of 6 blocks unit 3
        assert (ways[way]["requests"], ways[way]["bytes"], ways[way]["useful_bytes"]) == (2, 5 * 512 + 16 * 512, 6656)
    assert all(way["seconds"] is None and way["plan_seconds"] >= 0 for way in ways.values())


def test_gap_bound_block_and_window(fargraph, trace):
    assert replay(fargraph, trace, "--merge_gap=0")[1]["bitmap"]["requests"] == 5
    assert replay(fargraph, trace, "--merge_gap=0", "--request_size=512B")[1]["bitmap"]["requests"] == 3 + 2 + 8
    _, ways = replay(fargraph, trace, "--block_size=4KiB", "--merge_gap=0")
    assert ways["bitmap"]["bytes"] == 3 * 4096 and ways["bitmap"]["useful_bytes"] == 6656
    _, ways = replay(fargraph, trace, "--window=3", "--merge_gap=0")
    assert ways["bitmap"]["useful_bytes"] == ways["list"]["useful_bytes"] == 7168
    assert ways["batch"]["useful_bytes"] == 6656


def test_the_table(fargraph, trace):
    lines = fargraph.ok("replay", trace).splitlines()
    assert lines[0].startswith("a.spc: 6 requests (2 of them writes, which are read) for 7 KiB of 2 units")
    assert [line.split()[0] for line in lines[4:]] == ["direct", "batch", "list", "bitmap"]


def test_a_compressed_trace(fargraph, trace):
    (fargraph.folder / "a.spc.gz").write_bytes(gzip.compress(TRACE.encode()))
    assert replay(fargraph, "a.spc.gz")[1]["bitmap"]["requests"] == replay(fargraph, trace)[1]["bitmap"]["requests"]


@pytest.mark.parametrize("line, reason", [
    ("0,8,512,R", "it has 4 fields"),
    ("0,8,512,X,1", "the opcode 'X' is not r or w"),
    ("0,-8,512,R,1", "the LBA '-8'"),
    ("0,8,lots,R,1", "the size 'lots'"),
])
def test_a_bad_line_is_named(fargraph, line, reason):
    (fargraph.folder / "bad.spc").write_text(f"{TRACE}{line}\n")
    sentence = fargraph.fails(4, "replay", "bad.spc", "--json=report.json")
    assert f"'bad.spc', line 7: {reason}" in sentence and "; write 'ASU,LBA,size,opcode,time'" in sentence
    assert not (fargraph.folder / "report.json").exists()


def test_what_is_no_trace(fargraph):
    (fargraph.folder / "empty").touch()
    (fargraph.folder / "binary").write_bytes(bytes(range(256)) * 100)
    assert "'empty': it asks for nothing" in fargraph.fails(4, "replay", "empty")
    assert "'binary', line 1: " in fargraph.fails(4, "replay", "binary")
    assert "'missing'" in fargraph.fails(3, "replay", "missing")
    assert "it is a directory" in fargraph.fails(3, "replay", ".")


def test_a_trace_too_wide_for_any_bitmap(fargraph):
    (fargraph.folder / "wide.spc").write_text("".join(f"{unit},17592186044415,512,R,0\n" for unit in range(1024)))
    assert "; take larger blocks" in fargraph.fails(7, "replay", "wide.spc")


@pytest.fixture
def target(fargraph, trace):
    """A file as large as the trace's device."""
    path = fargraph.folder / "target"
    path.write_bytes(bytes(replay(fargraph, trace)[0]["device_bytes"]))
    done = fargraph("replay", trace, "--target=target", "--block_size=4KiB")
    if "direct IO" in done.stderr:
        pytest.skip("the file system of temporary files has no direct IO")
    assert done.returncode == 0, done.stderr
    return path


def test_a_target_is_read_and_left_as_it_is(fargraph, trace, target):
    before = target.read_bytes()
    report, ways = replay(fargraph, trace, "--target=target", "--block_size=4KiB", "--depth=3")
    assert (report["target"], report["depth"]) == ("target", 3)
    assert all(way["seconds"] >= way["plan_seconds"] > 0 for way in ways.values())
    assert target.read_bytes() == before
    assert "read from target, 3 requests at a time" in fargraph.ok("replay", trace, "--target=target", "--block_size=4KiB", "--depth=3")


def test_targets_that_do_not_do(fargraph, trace, target):
    def refused(code, path):
        return fargraph.fails(code, "replay", trace, f"--target={path}", "--block_size=4KiB")

    assert "neither a file nor a block device" in refused(2, ".")
    assert "No such file" in refused(3, "missing")
    with target.open("r+b") as file:
        file.truncate(target.stat().st_size - 1)
    assert "; name a larger file or device" in refused(2, "target")
