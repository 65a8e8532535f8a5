"""What perftest's ib_read_bw reads over the device: the yardstick for reads over verbs."""

import re
import subprocess
import time

from harness.programs import Failed, run

ATTEMPTS = 10


def rate_in(output):
    """Bytes per second in the line of figures, in Gb/s there."""
    figures = re.search(r"^ *\d+[ \t]+\d+[ \t]+[\d.]+[ \t]+([\d.]+)[ \t]+[\d.]+[ \t]*$", output, re.MULTILINE)
    if not figures:
        raise Failed(f"ib_read_bw printed no figures: {output.strip()[-200:]}")
    return float(figures[1]) * 1e9 / 8


def measure(device, address, read_bytes, seconds=2):
    """Both ends are on this host."""
    command = ["ib_read_bw", "-d", device, "-s", str(read_bytes), "-D", str(seconds), "--report_gbits"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            return rate_in(_read_from_server([*command, address]))
        finally:
            server.terminate()


def _read_from_server(command):
    """The server takes a moment to listen."""
    for attempt in range(ATTEMPTS):
        try:
            return run(command)[0]
        except Failed:
            if attempt == ATTEMPTS - 1:
                raise
            time.sleep(0.3)
