"""Policies for bench/protocol.mjs, served by the Python SDK; prints the port.

    python policy_peer.py zeros [json|msgpack]
    python policy_peer.py batch MILLISECONDS
"""

import asyncio
import sys
import time

from robot_eval_client import Policy, PolicyServer

ZEROS = [0.0] * 7


class Zeros(Policy):
    def act(self, observation):
        return ZEROS


class Batch(Policy):
    """A batch takes the same time at any size, like on a GPU that is not saturated."""

    def __init__(self, seconds):
        self.seconds = seconds

    def act_batch(self, observations):
        time.sleep(self.seconds)
        return [ZEROS] * len(observations)


def main():
    kind, argument = sys.argv[1], sys.argv[2]
    if kind == "zeros":
        server = PolicyServer(Zeros, port=0, encodings=[argument])
    else:
        server = PolicyServer(Batch(float(argument) / 1000), port=0, sessions=64)
    with server:
        print(server.port, flush=True)
        asyncio.run(asyncio.sleep(3600))


main()
