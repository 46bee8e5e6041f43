"""A world that costs nothing and shows a picture: python camera_peer.py SIDE. For bench/bridge.mjs."""

import sys

import numpy as np

from robot_eval_client.sim import Frame, SimAdapter, serve_env

SIDE = int(sys.argv[1])


class Camera(SimAdapter):
    def capabilities(self):
        return {
            "sensors": {"view": {"shape": [SIDE, SIDE, 3], "dtype": "uint8", "kind": "rgb"}},
            "action_space": {"type": "continuous", "low": [-1.0], "high": [1.0]},
            "deterministic": True,
        }

    def reset(self, episode, seed, task):
        self._picture = np.zeros((SIDE, SIDE, 3), np.uint8)
        return self.step(None)

    def step(self, action):
        return Frame({"view": self._picture}, {"success": False}, False, 0.0)


serve_env(lambda task: Camera())
