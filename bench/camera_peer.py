"""An empty environment with camera images: python camera_peer.py HEIGHT WIDTH COUNT. For bench/bridge.mjs."""

import sys

import numpy as np

from robot_eval_client.sim import Frame, SimAdapter, serve_env

HEIGHT, WIDTH, COUNT = map(int, sys.argv[1:])
NAMES = [f"view{i}" for i in range(COUNT)]


class Camera(SimAdapter):
    def capabilities(self):
        sensor = {"shape": [HEIGHT, WIDTH, 3], "dtype": "uint8", "kind": "rgb"}
        return {
            "sensors": dict.fromkeys(NAMES, sensor),
            "action_space": {"type": "continuous", "low": [-1.0], "high": [1.0]},
            "deterministic": True,
        }

    def reset(self, episode, seed, task):
        self._pictures = {name: np.zeros((HEIGHT, WIDTH, 3), np.uint8) for name in NAMES}
        return self.step(None)

    def step(self, action):
        return Frame(self._pictures, {"success": False}, False, 0.0)


serve_env(lambda task: Camera())
