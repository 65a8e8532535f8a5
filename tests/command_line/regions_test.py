"""regions: what memory nodes keep is listed and freed."""


def run_and_keep(fargraph, memory_node):
    return fargraph.ok("run", "wcc", "graph", f"--memory_nodes={memory_node}", "--far_ratio=1", "--keep", "--json=-")


def kept_names(listing):
    return [line.split()[-1] for line in listing.splitlines() if " kept " in line]


def test_kept_regions_are_listed_and_freed(fargraph, graph, memory_node):
    nodes = f"--memory_nodes={memory_node}"
    assert not kept_names(fargraph.ok("regions", nodes))

    assert '"attached": false' in run_and_keep(fargraph, memory_node)
    kept = kept_names(fargraph.ok("regions", nodes))
    assert kept
    assert '"attached": true' in run_and_keep(fargraph, memory_node)
    assert kept_names(fargraph.ok("regions", nodes)) == kept

    assert fargraph.ok("regions", nodes, f"--free={kept[0]}") == f"{memory_node}: freed 1 regions\n"
    assert kept_names(fargraph.ok("regions", nodes)) == kept[1:]
    assert kept[0] in fargraph.fails(3, "regions", nodes, f"--free={kept[0]}")
    assert fargraph.ok("regions", nodes, "--free_all") == f"{memory_node}: freed {len(kept) - 1} regions\n"
    assert not kept_names(fargraph.ok("regions", nodes))


def test_a_memory_node_that_is_not_there(fargraph):
    assert "127.0.0.1:1" in fargraph.fails(5, "regions", "--memory_nodes=127.0.0.1:1")
