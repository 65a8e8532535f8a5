"""What the paper reports (Wang et al., Excavating the Potential of Graph Workload on RDMA-based Far Memory Architecture,
IPDPS 2022), in seconds: two servers with 128 GB, ConnectX-5, GridGraph; graphs LJ, OR, TW and FR."""

from harness import ratios

GRAPHS = ("LJ", "OR", "TW", "FR")
ORACLE, ORIGINAL, FASTSWAP, FARGRAPH = "oracle", "original", "fastswap", "fargraph"

# With 80% far: {scheme: {kernel: seconds on each graph}}.
OVERALL = {
    ORACLE: {"bfs": (2.63, 2.61, 27.88, 54.33), "wcc": (0.16, 1.59, 38.5, 69.6),
             "pagerank": (5.33, 7.73, 115.24, 137.76), "radii": (2.74, 9.44, 150.36, 320.45)},
    ORIGINAL: {"bfs": (9.84, 6.08, 235.91, 637.17), "wcc": (2.36, 4.55, 144.17, 318.8),
               "pagerank": (39.20, 74.80, 848.00, 1153.6), "radii": (20.75, 110.3, 1139.0, 2578.0)},
    FASTSWAP: {"bfs": (10.46, 7.03, 262.24, 639.0), "wcc": (2.56, 6.52, 256.4, 523.1),
               "pagerank": (25.53, 40.80, 966.03, 1662.0), "radii": (20.45, 135.24, 1524.6, 3054.8)},
    FARGRAPH: {"bfs": (2.97, 3.93, 63.23, 94.02), "wcc": (1.32, 2.98, 70.2, 98.2),
               "pagerank": (6.92, 23.52, 123.70, 200.85), "radii": (5.48, 20.49, 350.26, 652.24)},
}

# Without and with buffers that are filled while another is computed on: {kernel: seconds on each graph}.
BUFFERING = {
    False: {"bfs": (3.45, 4.53, 75.61, 107.40), "pagerank": (7.44, 26.80, 153.19, 233.63)},
    True: {"bfs": (2.97, 3.93, 63.23, 94.02), "pagerank": (6.92, 23.52, 123.70, 200.85)},
}

FEATURES = {
    "bfs": ("breadth-first search", "random"),
    "wcc": ("weakly connected components", "random"),
    "pagerank": ("web page ranking", "random and sequential"),
    "radii": ("graph radii estimation", "random and sequential"),
}

# Vertices, edges, bytes of edges and of all memory, in the paper's units.
WORKLOADS = [["Live Journal (LJ)", "4,848 K", "69 M", "1.1 GB", "2.4 GB"],
             ["Orkut (OR)", "3,072 K", "117 M", "1.8 GB", "3.9 GB"],
             ["Twitter7 (TW)", "17 M", "477 M", "26.3 GB", "47.7 GB"],
             ["Friendster (FR)", "65 M", "1806 M", "32.7 GB", "60.4 GB"]]


def overall_ratios(kernel, numerator, denominator):
    """Of the times of two schemes, on each graph."""
    return [above / below for above, below in zip(OVERALL[numerator][kernel], OVERALL[denominator][kernel])]


def overall_mean(kernel, numerator, denominator):
    return ratios.geometric_mean(overall_ratios(kernel, numerator, denominator))


def buffering_saved(kernel):
    """The share of the duration that buffers save, on each graph."""
    return [1 - with_them / without for without, with_them in zip(BUFFERING[False][kernel], BUFFERING[True][kernel])]
