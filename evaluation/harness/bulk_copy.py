#!/usr/bin/python3
"""What one TCP connection carries when nothing else is done: the yardstick for reads over tcp.

usage: bulk_copy.py receive HOST PORT     prints bytes per second of the next connection, then ends
       bulk_copy.py send HOST PORT SECONDS
"""

import multiprocessing
import socket
import sys
import time

PIECE_BYTES = 1 << 20
LOOPBACK_SECONDS = 0.5


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


def send(host, port, seconds):
    piece = bytes(PIECE_BYTES)
    with socket.create_connection((host, port)) as connection:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            connection.sendall(piece)


def over_loopback():
    """Bytes per second from one process of this host to another."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        sender = multiprocessing.Process(target=send, args=(*listener.getsockname(), LOOPBACK_SECONDS))
        sender.start()
        rate = receive(listener)
        sender.join()
        return rate


def main():
    mode, host, port = sys.argv[1], sys.argv[2], int(sys.argv[3])
    if mode == "send":
        send(host, port, float(sys.argv[4]))
    else:
        with socket.create_server((host, port)) as listener:
            print("listening", flush=True)
            print(receive(listener), flush=True)


if __name__ == "__main__":
    main()
