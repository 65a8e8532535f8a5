"""place: a graph is striped over directories, and jobs find it there."""

import json

import pytest


@pytest.fixture
def ssds(fargraph):
    names = ["ssd0", "ssd1", "ssd2"]
    for name in names:
        (fargraph.folder / name).mkdir()
    return names


def files_in(fargraph, ssds):
    return sorted(path.name for name in ssds for path in (fargraph.folder / name).iterdir())


def content_id(fargraph, graph):
    return json.loads(fargraph.ok("info", graph, "--json"))["content_id"]


def test_a_graph_is_placed_once(fargraph, graph, ssds):
    flags = [graph, f"--ssd_dirs={','.join(ssds)}"]
    assert "written       48 B\n" in fargraph.ok("place", *flags)  # of both directions six edges of 4 bytes
    placed = files_in(fargraph, ssds)
    assert placed == sorted(f"{content_id(fargraph, graph)}.{direction}.edges.{part}-of-3"
                            for direction in ("in", "out") for part in range(3))
    assert "placed        48 B over 3 directories\nwritten       0 B\n" in fargraph.ok("place", *flags)
    assert files_in(fargraph, ssds) == placed


def test_jobs_find_it_there_and_leave_it(fargraph, graph, ssds):
    flags = ["wcc", graph, f"--ssd_dirs={','.join(ssds)}", "--far_ratio=1", "--json=-"]
    done = fargraph("run", *flags)
    if done.returncode == 8:
        pytest.skip("the file system of temporary files has no direct IO")
    assert not json.loads(done.stdout)["attached"]
    fargraph.ok("place", graph, f"--ssd_dirs={','.join(ssds)}")
    placed = files_in(fargraph, ssds)
    found = json.loads(fargraph.ok("run", *flags))
    assert found["attached"] and found["components"] == json.loads(done.stdout)["components"]
    assert files_in(fargraph, ssds) == placed

    victim = next(path for path in (fargraph.folder / ssds[0]).iterdir() if ".out." in path.name)
    victim.write_bytes(victim.read_bytes()[:-1])
    refused = fargraph("run", *flags)
    assert refused.returncode == 4 and f"{victim.name}: it is damaged" in refused.stderr, refused.stderr
    fargraph.ok("place", graph, f"--ssd_dirs={','.join(ssds)}")
    assert json.loads(fargraph.ok("run", *flags))["attached"]


def test_what_cannot_be_placed(fargraph, graph, ssds):
    assert "--ssd_dirs is missing" in fargraph.fails(2, "place", graph)
    assert "jobs read the graph's own files" in fargraph.fails(2, "place", graph, f"--ssd_dirs={graph}")
    assert "nowhere" in fargraph.fails(3, "place", graph, "--ssd_dirs=ssd0,nowhere")
    assert "nowhere" in fargraph.fails(3, "place", "nowhere", f"--ssd_dirs={','.join(ssds)}")
    assert not files_in(fargraph, ssds)


def test_compressed_lists_are_placed_as_jobs_read_them(fargraph, ssds):
    (fargraph.folder / "edges.txt").write_text("0 1\n1 2\n2 0\n")
    fargraph.ok("convert", "edges.txt", "compressed", "--compress")
    assert "written       24 B\n" in fargraph.ok("place", "compressed", "--ssd_dirs=compressed")
    assert "written       24 B\n" in fargraph.ok("place", "compressed", f"--ssd_dirs={','.join(ssds)}")
