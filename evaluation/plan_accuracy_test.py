"""plan_accuracy on a tiny graph: what the plans rested on, and what is printed and written."""

import json


def outcomes_of(command, graphs, folder, *more):
    done = command("plan_accuracy", f"--graph=kron10={graphs / 'kron10'}", "--kernels=bfs,wcc", "--far_ratios=0.5",
                   "--rounds=1", "--trials=1", "--patience=0", *more, folder=folder)
    outcomes = json.loads((folder / "plan_accuracy.json").read_text())["outcomes"]
    return done, [(one["kernel"], one["way"], one["basis"]) for one in outcomes]


def test_the_first_run_is_estimated_and_others_follow_from_it(command, graphs, tmp_path):
    done, found = outcomes_of(command, graphs, tmp_path, "--transports=shm")
    for kernel in ("bfs", "wcc"):
        bases = [basis for one, _, basis in found if one == kernel]
        assert sorted(bases[:2]) == ["estimate", "from other runs"] and bases[2:] == ["measured"] * 2
    assert "medians within" in done.stdout


def test_all_are_estimated_where_that_is_asked_for(command, graphs, tmp_path):
    _, found = outcomes_of(command, graphs, tmp_path, "--transports=shm,ssd", "--estimates")
    assert sorted(found) == sorted((kernel, way, "estimate") for kernel in ("bfs", "wcc")
                                   for way in ("local", "shm 0.5", "ssd 0.5") for _ in range(2))
