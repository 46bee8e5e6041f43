"""Round trips per second between openpi's server and client.

    OPENPI_REPO=<checkout> python openpi_loop_peer.py serve PORT
    python openpi_loop_peer.py ask PORT SECONDS pictures|state

The client is the published package openpi-client; the server is a file of openpi's repository.
"""

import importlib.util
import os
import pathlib
import sys
import time

import numpy as np
from openpi_client import base_policy, websocket_client_policy


class Zeros(base_policy.BasePolicy):
    def infer(self, obs):
        return {"actions": np.zeros((1, 7))}


def serve():
    path = pathlib.Path(os.environ["OPENPI_REPO"]) / "src/openpi/serving/websocket_policy_server.py"
    # Load only this file, because its package would import JAX.
    spec = importlib.util.spec_from_file_location("websocket_policy_server", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    port = int(sys.argv[2])
    print(port, flush=True)
    module.WebsocketPolicyServer(Zeros(), "127.0.0.1", port).serve_forever()


def ask(port, seconds, kind):
    client = websocket_client_policy.WebsocketClientPolicy("127.0.0.1", port)
    if kind == "pictures":
        rgb = np.random.default_rng(0).integers(0, 256, (480, 640, 3), dtype=np.uint8)
        depth = np.random.default_rng(0).random((480, 640), dtype=np.float32)
        obs = {"rgb": rgb, "depth": depth, "prompt": "go"}
    else:
        obs = {"qpos": np.zeros(7), "ee_pose": np.zeros(7), "gripper_state": 0.04}
    for _ in range(5):
        client.infer(obs)
    count, started = 0, time.perf_counter()
    while time.perf_counter() - started < seconds:
        client.infer(obs)
        count += 1
    print(count / (time.perf_counter() - started))


if sys.argv[1] == "serve":
    serve()
else:
    ask(int(sys.argv[2]), float(sys.argv[3]), sys.argv[4])
