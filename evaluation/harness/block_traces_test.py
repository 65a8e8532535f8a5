"""Generated traces have what there is to find, and are what their arguments say."""

import collections

import pytest

from harness import block_traces

UNIT_BYTES = 8 << 20


def make(name, count=5000, seed=1):
    return list(block_traces.requests(block_traces.KINDS[name], count, 2, UNIT_BYTES, seed))


@pytest.mark.parametrize("name", block_traces.KINDS)
def test_requests_lie_in_their_units_in_the_order_of_time(name):
    requests = make(name)
    assert len(requests) == 5000
    assert {unit for unit, *_ in requests} == {0, 1}
    for _, offset, size, opcode, _ in requests:
        assert 0 <= offset and size > 0 and offset + size <= UNIT_BYTES
        assert offset % block_traces.SECTOR == size % block_traces.SECTOR == 0
        assert opcode in "RW"
    times = [seconds for *_, seconds in requests]
    assert times == sorted(times)


@pytest.mark.parametrize("name", block_traces.KINDS)
def test_the_seed_decides(name):
    assert make(name) == make(name) != make(name, seed=2)


def test_few_pages_get_most_of_the_small_requests():
    pages = collections.Counter((unit, offset // block_traces.PAGE) for unit, offset, *_ in make("oltp"))
    most_popular = sum(count for _, count in pages.most_common(len(pages) // 10))
    assert most_popular > 0.4 * 5000


def test_streams_go_on_where_they_ended():
    kind = block_traces.KINDS["mixed"]
    ends, continued = set(), 0
    for unit, offset, size, *_ in make("mixed"):
        continued += (unit, offset) in ends
        ends.add((unit, offset + size))
    assert continued > 0.9 * kind.streamed * 5000


def test_the_file_has_the_spc_format(tmp_path):
    path = tmp_path / "a.spc"
    block_traces.write(path, block_traces.KINDS["oltp"], 10, 2, UNIT_BYTES, 1)
    [unit, offset, size, opcode, seconds] = make("oltp", 10)[0]
    lines = path.read_text().splitlines()
    assert len(lines) == 10
    assert lines[0] == f"{unit},{offset // 512},{size},{opcode},{seconds:.6f}"
