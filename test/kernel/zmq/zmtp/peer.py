"""A peer made of pyzmq, that is of libzmq itself: `peer.py KIND ENDPOINT`. Ends with its stdin."""

import sys
import threading

import zmq

kind, endpoint = sys.argv[1:]
socket = zmq.Context().socket(getattr(zmq, kind))
socket.setsockopt(zmq.LINGER, 0)
if kind == "ROUTER":
    socket.router_handover = 1
if kind == "XPUB":
    socket.sndhwm = 0
socket.bind(endpoint)
print(socket.getsockopt_string(zmq.LAST_ENDPOINT), flush=True)


def serve():
    while True:
        frames = socket.recv_multipart()
        if kind == "XPUB":  # a subscription: publish what was asked for on the command line
            for number in range(1000):
                socket.send_multipart([b"topic", str(number).encode()])
            socket.send_multipart([b"x" * 300, b"", b"end"])
        elif frames[-1].startswith(b"repeat "):
            socket.send_multipart(frames[:-1] + [b"z" * int(frames[-1].split()[1])])
        else:
            socket.send_multipart(frames)


threading.Thread(target=serve, daemon=True).start()
sys.stdin.read()
