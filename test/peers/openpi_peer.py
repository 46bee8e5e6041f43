"""openpi's own server and client around the tiny policy.

    OPENPI_REPO=<checkout> python openpi_peer.py serve PORT [SIZE]
    OPENPI_REPO=<checkout> python openpi_peer.py ask PORT
"""

import importlib.util
import json
import os
import pathlib
import sys

repo = pathlib.Path(os.environ["OPENPI_REPO"])
sys.path.insert(0, str(repo / "packages/openpi-client/src"))

import tiny_policy
from openpi_client import base_policy, websocket_client_policy

HORIZON = 4


class HashPolicy(base_policy.BasePolicy):
    def __init__(self, size):
        self.size = size

    def infer(self, obs):
        if obs.get("prompt") == "fail":
            raise ValueError("told to fail")
        return {"actions": tiny_policy.actions(obs, HORIZON, self.size), "policy_timing": {"infer_ms": 0.5}}


def serve(port, size):
    # Loads only this file, because its package would import JAX.
    path = repo / "src/openpi/serving/websocket_policy_server.py"
    spec = importlib.util.spec_from_file_location("websocket_policy_server", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    metadata = {"action_horizon": HORIZON, "name": "hash"}
    module.WebsocketPolicyServer(HashPolicy(size), "127.0.0.1", port, metadata).serve_forever()


def ask(port):
    client = websocket_client_policy.WebsocketClientPolicy("127.0.0.1", port)
    print(json.dumps(client.infer(tiny_policy.known_observation())["actions"].tolist()))


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        serve(int(sys.argv[2]), int(sys.argv[3]))
    else:
        ask(int(sys.argv[2]))
