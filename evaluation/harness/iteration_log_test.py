from harness import iteration_log
from harness.iteration_log import Iteration

LOG = """trial,iteration,active_vertices,seconds,stall_seconds,requests,bytes_fetched,bytes_useful
1,1,9,9,9,9,9,9
2,1,1,0.5,0.25,2,1024,256
2,2,100,1.5,0.5,8,8000,8000
2,3,0,0.1,0,0,0,0
"""


def test_the_last_trial_is_read():
    iterations = iteration_log.read(LOG.splitlines())
    assert iterations[0] == Iteration(1, 0.5, 0.25, 2, 1024, 256)
    assert [one.utility() for one in iterations] == [0.25, 1, 1]
    assert iteration_log.total(iterations) == Iteration(101, 2.1, 0.75, 10, 9024, 8256)


def test_sparse_iterations_read_something_but_not_much():
    iterations = iteration_log.read(LOG.splitlines())
    assert iteration_log.sparse(iterations, 10000) == iterations[:1]
    assert iteration_log.total([]).bytes_fetched == 0


def test_iterations_that_hardly_wait_are_bound_by_computing():
    assert iteration_log.Iteration(1, seconds=1, stall_seconds=0.2, requests=1, bytes_fetched=1, bytes_useful=1).is_computing()
    assert not iteration_log.Iteration(1, seconds=1, stall_seconds=0.3, requests=1, bytes_fetched=1, bytes_useful=1).is_computing()
