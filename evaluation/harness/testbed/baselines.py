"""The part of testbed_baselines that runs inside the testbed's machine.

usage: python3 -m harness.testbed.baselines GRAPH ROUNDS OUTPUT     in the folder evaluation
"""

import os
import pathlib
import shutil
import sys
import tempfile

from harness import far_tier, programs
from harness.graphs import Graph
from harness.host import rdma_swap

DISK = "/dev/vda"
KERNELS = "pagerank,bfs"
SWAP_GRAPHS, SWAP_MORE_BYTES = 3, 64 << 20  # room on the swap device


def copy_to_disk(graph):
    """To one that has direct IO, which the folders of the host have not in here."""
    mounted = pathlib.Path(tempfile.mkdtemp())
    programs.run(["mkfs.ext4", "-q", DISK])
    programs.run(["mount", DISK, mounted])
    shutil.copytree(graph.path, mounted / graph.name)
    return Graph(graph.name, mounted / graph.name)


def main():
    graph = copy_to_disk(Graph.parse(sys.argv[1]))
    rdma_swap.prepare(SWAP_GRAPHS * graph.bytes() + SWAP_MORE_BYTES, far_tier.rdma_address())
    command = programs.REPOSITORY / "evaluation/baselines"
    os.execv(command, [str(command), "--transport=verbs", f"--swap_device={rdma_swap.DEVICE}", f"--graph={graph.name}={graph.path}",
                       f"--kernels={KERNELS}", f"--rounds={sys.argv[2]}", f"--output={sys.argv[3]}", "--iterations=3", "--trials=1",
                       "--sources=1", "--patience=0"])


if __name__ == "__main__":
    programs.run_main("testbed_baselines", main)
