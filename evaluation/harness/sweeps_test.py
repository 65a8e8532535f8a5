from types import SimpleNamespace

from harness import sweeps
from harness.rounds import Run
from harness.sweeps import SWEEPS, Sweep

ARGUMENTS = SimpleNamespace(transport="shm", far_ratio=0.8, flags=["--more"])


def test_every_value_becomes_a_run_with_the_flag():
    first, *_, last = SWEEPS["chunk_size"].ways(["--memory_nodes=h:1"], ARGUMENTS)
    assert (first.name, last.name) == ("4KiB", "4096KiB")
    assert {"--memory_nodes=h:1", "--chunk_size=4KiB", "--far_ratio=0.8", "--keep", "--more"} <= set(first.flags)


def test_the_far_ratio_itself_is_given_once():
    swept = SWEEPS["far_ratio"].ways([], ARGUMENTS)
    assert [way.far_ratio for way in swept] == [i / 10 for i in range(11)]
    assert [flag for flag in swept[3].flags if flag.startswith("--far_ratio")] == ["--far_ratio=0.3"]


def test_values_are_compared_with_the_first_within_a_round():
    sweep = Sweep("buffers", "buffers", (1, 2, 4))
    seconds = {"1": [2.0, 4.0, 6.0], "2": [1.0, 4.0, 12.0]}
    runs = [Run(number, "bfs", "kron", way, "own", 0, value, 0.0, {})
            for way, values in seconds.items() for number, value in enumerate(values)]
    assert sweeps.against_first(sweep, runs, "bfs", "kron") == [(1, 1, 1), (1, 0.5, 2), None]
