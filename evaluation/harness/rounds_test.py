from harness import rounds

CASES = {"bfs": ["local", "far", "peer"], "wcc": ["local", "far"]}


def test_a_round_runs_every_way_of_every_case_once():
    planned = list(rounds.order(CASES, range(3)))
    for number in range(3):
        same_round = [(case, way) for planned_number, case, way in planned if planned_number == number]
        assert sorted(same_round) == sorted((case, way) for case, ways in CASES.items() for way in ways)


def test_rounds_come_one_after_the_other_and_the_ways_of_a_case_too():
    planned = list(rounds.order(CASES, range(2)))
    assert [(number, case) for number, case, _ in planned] == (
        [(0, "bfs")] * 3 + [(0, "wcc")] * 2 + [(1, "bfs")] * 3 + [(1, "wcc")] * 2)


def test_every_way_runs_first_in_some_round():
    first = {next(way for _, case, way in rounds.order(CASES, [number]) if case == "bfs") for number in range(20)}
    assert first == {"local", "far", "peer"}


def test_a_resumed_measurement_goes_on_with_the_same_orders():
    assert list(rounds.order(CASES, range(4))) == [*rounds.order(CASES, range(2)), *rounds.order(CASES, range(2, 4))]
