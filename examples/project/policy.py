"""A policy that moves forward until an obstacle is near, then turns left. Replace it with your model.

    python policy.py [port]
"""

import sys

from robot_eval_client import Policy, serve

NEAR_M = 0.6


class MyPolicy(Policy):
    sensors = ["depth", "instruction"]  # only these are rendered and sent

    def reset(self, episode):
        self.steps = 0

    def act(self, observation):
        self.steps += 1
        if self.steps > 100:
            return "stop"
        depth = observation["depth"]  # float32 (height, width) in metres, 0 = no return
        ahead = depth[depth.shape[0] // 2, depth.shape[1] // 2]
        return "turn_left" if 0 < ahead < NEAR_M else "move_forward"


if __name__ == "__main__":
    # The class, not an object: each concurrent episode gets its own policy object.
    serve(MyPolicy, port=int(sys.argv[1]) if len(sys.argv) > 1 else 8000, host="127.0.0.1")
