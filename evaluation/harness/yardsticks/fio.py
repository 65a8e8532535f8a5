"""What fio reads from files in a second: the speed of the devices themselves, into huge pages as jobs do."""

import json

from harness import programs

SECONDS = 2
BLOCK_BYTES = 4096  # of direct IO


def depth_of(plan):
    """How many chunks all threads of a job with that plan have in flight at most: of a thread's buffers for SSDs half are
    (compute_node/pipeline/edge_stream.cc)."""
    return max(plan["buffers"] // 2, 1) * plan["threads"]


def argv(paths, pattern, request_bytes, depth, seconds=SECONDS):
    """A command that only reads. `pattern`: read or randread; `depth`: requests under way."""
    return ["fio", "--name=read", f"--filename={':'.join(str(path).replace(':', chr(92) + ':') for path in paths)}", "--readonly",
            f"--rw={pattern}", f"--bs={request_bytes}", f"--iodepth={depth}", "--ioengine=libaio", "--direct=1",
            "--iomem_align=2m", "--time_based", f"--runtime={seconds}", "--output-format=json"]


def rates_in(output):
    """(bytes, requests) in a second."""
    try:
        read = json.loads(output)["jobs"][0]["read"]
    except (ValueError, LookupError) as error:
        raise ValueError(f"fio's output has no figures: {error}") from error
    return read["bw_bytes"], read["iops"]


def measure(paths, pattern, request_bytes, depth, launcher=()):
    return rates_in(programs.run(argv(paths, pattern, request_bytes, depth), (*launcher, *programs.ON_HUGE_PAGES))[0])


class RandomReads:
    """What random reads of any size take: measured of powers of two, and in proportion between them.

    rate(request_bytes): reads in a second; asked once for each size.
    known: {size as text: seconds of a read}, to which is added what was asked.
    """

    def __init__(self, rate, known):
        self._rate, self._known = rate, known

    def _seconds(self, request_bytes):
        size = str(request_bytes)
        if size not in self._known:
            self._known[size] = 1 / self._rate(request_bytes)
        return self._known[size]

    def seconds(self, request_bytes):
        """Of one of them."""
        lower = BLOCK_BYTES
        while 2 * lower <= request_bytes:
            lower *= 2
        above = max(0, request_bytes / lower - 1)
        return self._seconds(lower) * (1 - above) + (self._seconds(2 * lower) * above if above else 0)
