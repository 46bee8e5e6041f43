"""RoboArena's own server and client around the tiny policy.

    ROBOARENA_REPO=<checkout> python roboarena_peer.py serve PORT [SIZE]
    ROBOARENA_REPO=<checkout> python roboarena_peer.py ask PORT
"""

import json
import os
import sys

sys.path.insert(0, os.environ["ROBOARENA_REPO"])

import tiny_policy
from roboarena.policy import BasePolicy
from roboarena.policy_client import WebsocketClientPolicy
from roboarena.policy_server import PolicyServerConfig, WebsocketPolicyServer

HORIZON = 4


class HashPolicy(BasePolicy):
    def __init__(self, size):
        self.size = size
        self.resets = 0

    def reset(self, reset_info):
        self.resets += 1

    def infer(self, obs):
        if obs.get("prompt") == "fail":
            raise ValueError("told to fail")
        # Hashes whether a reset arrived, so that a missing one changes the actions.
        seen = {**obs, "resets": min(self.resets, 1)}
        return {"actions": tiny_policy.actions(seen, HORIZON, self.size)}


def serve(port, size):
    config = PolicyServerConfig(image_resolution=(24, 32))
    WebsocketPolicyServer(HashPolicy(size), config, "127.0.0.1", port).serve_forever()


def ask(port):
    client = WebsocketClientPolicy("127.0.0.1", port)
    client.reset({})
    print(json.dumps(client.infer(tiny_policy.known_observation())["actions"].tolist()))


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        serve(int(sys.argv[2]), int(sys.argv[3]))
    else:
        ask(int(sys.argv[2]))
