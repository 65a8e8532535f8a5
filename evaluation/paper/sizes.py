"""How much is measured. In place of the paper's graphs stand Kronecker graphs with about as many vertices and stored edges,
or smaller ones; real ones are the user's to give (--graph LJ=DIR)."""

from dataclasses import dataclass

STANDS_FOR = {"kron22x8": "LJ", "kron21x28": "OR", "kron24x14": "TW", "kron26x14": "FR"}


@dataclass(frozen=True)
class Size:
    """Graphs are named as evaluation/graphs names them."""

    graphs: tuple[str, ...]
    graphs_by_vertices: tuple[str, ...]  # for chunk sizes, which the paper shows for 40K, 400K, 4M and 40M vertices
    far_ratios: tuple[float, ...]        # for the sweep
    rounds: int
    trials: int      # of a kernel in one process, where it is repeated
    iterations: int  # of PageRank


SIZES = {
    "smoke": Size(("kron12",), ("kron10", "kron12"), (0.4, 0.8), rounds=1, trials=1, iterations=2),
    # On smaller graphs than these what a process needs in any case outweighs the edges, and swapping costs little.
    "small": Size(("kron20", "urand20"), ("kron15", "kron17", "kron19", "kron22"), (0.2, 0.4, 0.6, 0.8, 0.9), rounds=3, trials=3,
                  iterations=3),
    "paper": Size(tuple(STANDS_FOR), ("kron15", "kron19", "kron22", "kron25"), tuple(i / 10 for i in range(1, 10)),
                  rounds=5, trials=3, iterations=5),
}
