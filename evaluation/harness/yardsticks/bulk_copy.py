#!/usr/bin/python3
"""What one TCP connection carries when nothing else is done: the yardstick for reads over tcp.

usage: bulk_copy.py receive ADDRESS     prints its port, then bytes per second of the next connection, and ends
       bulk_copy.py send ADDRESS PORT SECONDS
"""

import socket
import sys
import time

PIECE_BYTES = 1 << 20


def receive(listener):
    """Takes one connection, reads it to its end, and returns bytes per second between first and last byte."""
    connection, _ = listener.accept()
    with connection:
        buffer = bytearray(PIECE_BYTES)
        connection.recv_into(buffer)
        begin, total = time.monotonic(), 0
        while received := connection.recv_into(buffer):
            total += received
        return total / (time.monotonic() - begin)


def send(address, port, seconds):
    piece = bytes(PIECE_BYTES)
    with socket.create_connection((address, port)) as connection:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            connection.sendall(piece)


def main():
    mode, address = sys.argv[1], sys.argv[2]
    if mode == "send":
        send(address, int(sys.argv[3]), float(sys.argv[4]))
        return
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.create_server((address, 0), family=family) as listener:
        print(listener.getsockname()[1], flush=True)
        print(receive(listener), flush=True)


if __name__ == "__main__":
    main()
