"""What fio reads from files in a second: the speed of the devices themselves."""

import json

from harness import programs

SECONDS = 2


def argv(paths, pattern, request_bytes, depth, seconds=SECONDS):
    """A command that only reads. `pattern`: read or randread; `depth`: requests under way."""
    return ["fio", "--name=read", f"--filename={':'.join(str(path).replace(':', chr(92) + ':') for path in paths)}", "--readonly",
            f"--rw={pattern}", f"--bs={request_bytes}", f"--iodepth={depth}", "--ioengine=libaio", "--direct=1",
            "--time_based", f"--runtime={seconds}", "--output-format=json"]


def rates_in(output):
    """(bytes, requests) in a second."""
    try:
        read = json.loads(output)["jobs"][0]["read"]
    except (ValueError, LookupError) as error:
        raise ValueError(f"fio's output has no figures: {error}") from error
    return read["bw_bytes"], read["iops"]


def measure(paths, pattern, request_bytes, depth):
    return rates_in(programs.run(argv(paths, pattern, request_bytes, depth))[0])
