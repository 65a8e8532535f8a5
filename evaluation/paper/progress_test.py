import io

from pytest import approx

from paper.progress import Progress, clock


def test_the_rest_takes_as_long_as_what_is_most_like_it_by_edge():
    progress = Progress({"small": 100, "large": 1000})
    assert progress.seconds_left([("swap", "bfs", "large")]) is None
    progress.learn(("swap", "bfs", "small"), 1)
    assert progress.seconds_left([("swap", "bfs", "large")]) == approx(10)
    progress.learn(("swap", "pagerank", "small"), 3)
    assert progress.seconds_left([("swap", "bfs", "large"), ("swap", "wcc", "small")]) == approx(10 + 2)
    progress.learn(("oracle", "bfs", "small"), 8)
    assert progress.seconds_left([("fargraph", "bfs", "small")]) == approx(4)


def test_a_line_tells_what_is_done_and_what_is_left():
    said = io.StringIO()
    progress = Progress({"kron": 10}, said)
    progress.learn(("swap", "bfs", "kron"), 3723)
    progress.say("overall: bfs", 1, 2, [("swap", "bfs", "kron")])
    assert said.getvalue() == "1/2  overall: bfs; about 1:02:03 left\n"
    assert clock(59.6) == "0:01:00"
