from types import SimpleNamespace

from pytest import approx

from harness import sweeps
from harness.host import own_loopback, small_pages
from harness.rounds import Run
from harness.sweeps import SWEEPS, Sweep

ARGUMENTS = SimpleNamespace(transport="shm", far_ratio=0.8, flags=["--more"], ssd_dirs=["a", "b", "c", "d"])


def runs_of(way, seconds, bytes_fetched=0, **report):
    return [Run(number, "bfs", "kron", way, "own", 0, value, 0.0, {"edges": 100, "bytes_fetched": bytes_fetched, **report})
            for number, value in enumerate(seconds)]


def test_every_value_becomes_a_run_with_the_flag_and_what_is_tuned_one_without():
    first, *_, last, tuned = SWEEPS["chunk_size"].ways(["--memory_nodes=h:1"], ARGUMENTS)
    assert (first.name, last.name, tuned.name) == ("4KiB", "4096KiB", "tuned")
    assert {"--memory_nodes=h:1", "--chunk_size=4KiB", "--far_ratio=0.8", "--keep", "--more"} == set(first.flags) - {
        "--transport=shm"}
    assert not any(flag.startswith("--chunk_size") for flag in tuned.flags)


def test_the_far_ratio_itself_is_given_once():
    swept = SWEEPS["far_ratio"].ways([], ARGUMENTS)
    assert [way.far_ratio for way in swept] == [i / 10 for i in range(11)]
    assert [flag for flag in swept[3].flags if flag.startswith("--far_ratio")] == ["--far_ratio=0.3"]


def test_one_buffer_more_than_the_depth():
    assert "--buffers=9" in SWEEPS["depth"].ways([], ARGUMENTS)[3].flags
    assert SWEEPS["depth"].tuned({"buffers": 9}) == 8


def test_heads_are_swept_over_conversions_of_the_graph():
    assert [way.heads for way in SWEEPS["heads"].ways([], ARGUMENTS)] == [0, 1, 2, 4, 8]


def test_more_and_more_devices_hold_the_edges():
    ssd = SimpleNamespace(**{**vars(ARGUMENTS), "transport": "ssd"})
    flags = [way.flags for way in SWEEPS["devices"].ways(["--ssd_dirs=a,b,c,d"], ssd)]
    assert [[flag for flag in those if flag.startswith("--ssd_dirs")] for those in flags] == [
        ["--ssd_dirs=a"], ["--ssd_dirs=a,b"], ["--ssd_dirs=a,b,c,d"]]
    assert not any("--keep" in those for those in flags)


def test_huge_pages_are_off_behind_a_launcher_alone():
    off, on = SWEEPS["huge_pages"].ways([], ARGUMENTS)
    assert (off.name, on.name, off.launcher, on.launcher) == ("off", "on", small_pages.LAUNCHER, ())
    assert off.flags == on.flags


def test_segments_are_set_behind_a_launcher_alone():
    ways = SWEEPS["segments"].ways(["--memory_nodes=[::1]:1"], SimpleNamespace(**{**vars(ARGUMENTS), "transport": "tcp"}))
    assert [way.launcher for way in ways] == [own_loopback.segments_of(kib) for kib in (64, 128, 256, 512)]
    assert len({way.flags for way in ways}) == 1


def test_tlb_misses_are_the_median_of_those_that_were_counted():
    runs = (runs_of("off", [1.0], tlb_misses=900) + runs_of("off", [1.0], tlb_misses=700)
            + runs_of("off", [1.0], tlb_misses=100) + runs_of("on", [1.0], tlb_misses=None))
    assert sweeps.curve(SWEEPS["huge_pages"], runs, ("bfs", "kron")).tlb_misses == {"off": 700}
    assert sweeps.curve(SWEEPS["huge_pages"], runs_of("off", [1.0]), ("bfs", "kron")).tlb_misses == {}


SWEEP = Sweep("buffers", (1, 2, 4), lambda far, value: far(), tuned=lambda report: report["buffers"])


def test_values_are_compared_with_the_first_within_a_round():
    runs = runs_of("1", [2.0, 4.0, 6.0], bytes_fetched=800) + runs_of("2", [1.0, 4.0, 12.0], bytes_fetched=200)
    curve = sweeps.curve(SWEEP, runs, ("bfs", "kron"))
    assert curve.times == {"1": (1, 1, 1), "2": (1, 0.5, 2)}
    assert curve.first_seconds == 4
    assert curve.seconds("2") == (4, 2, 8)
    assert curve.fetched == {"1": 2, "2": 0.5}
    assert sweeps.curve(SWEEP, runs_of("2", [1.0]), ("bfs", "kron")) is None


def test_the_best_value_is_found_and_what_is_tuned_held_against_it():
    runs = runs_of("1", [4.0, 8.0]) + runs_of("2", [2.0, 4.0]) + runs_of("4", [3.0, 5.0])
    best = sweeps.curve(SWEEP, runs, ("bfs", "kron")).best
    assert (best.value, best.saved, best.tuned) == ("2", approx(0.5), None)
    best = sweeps.curve(SWEEP, runs + runs_of("tuned", [1.0, 8.0], buffers=3), ("bfs", "kron")).best
    assert (best.value, best.tuned, best.tuned_saved) == ("2", "3", approx(0.375))
    assert best.against_choice == (approx(1.25), 0.5, 2)


def test_what_is_tuned_is_held_against_the_value_that_other_rounds_choose():
    runs = (runs_of("1", [10.0, 10.0, 10.0]) + runs_of("2", [8.0, 2.0, 9.0]) + runs_of("4", [6.0, 12.0, 7.0])
            + runs_of("tuned", [6.0, 6.0, 7.0], buffers=3))
    best = sweeps.curve(SWEEP, runs, ("bfs", "kron")).best
    assert best.value == "4"
    # The first round is held against "2", for which the others are; the second against "4", the third against "2".
    assert best.against_choice == (6 / 8, 6 / 12, 7 / 9)


def test_what_is_tuned_is_held_against_nothing_where_no_round_has_all_values():
    runs = [run for run in runs_of("1", [4.0, 8.0]) + runs_of("2", [2.0, 4.0]) + runs_of("tuned", [1.0, 8.0], buffers=3)
            if (run.round, run.way) not in ((0, "2"), (1, "tuned"))]
    assert sweeps.curve(SWEEP, runs, ("bfs", "kron")).best == sweeps.Best("2", 0.5)
