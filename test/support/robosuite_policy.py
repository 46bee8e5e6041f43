"""Does robosuite's Lift and Stack with a Panda by a few straight moves, from what it observes alone.

python robosuite_policy.py --port 0
"""

from __future__ import annotations

import argparse

import numpy as np

from robot_eval_client import Policy, serve

GAIN = 12.0
OPEN, CLOSED = -1.0, 1.0
HOVER_M = 0.08
NEAR_M = 0.012
FINGER_STEPS = 12


class Mover(Policy):
    def reset(self, episode):
        self._stage = 0
        self._waited = 0

    def act(self, observation):
        hand = np.asarray(observation["robot0_eef_pos"])
        cube = np.asarray(observation["cube_pos"] if "cube_pos" in observation else observation["cubeA_pos"])
        base = np.asarray(observation["cubeB_pos"]) if "cubeB_pos" in observation else None
        up = np.array([0.0, 0.0, HOVER_M])
        if self._stage == 0:
            return self._move(hand, cube + up, OPEN)
        if self._stage == 1:
            return self._move(hand, cube, OPEN)
        if self._stage == 2:
            return self._wait(CLOSED)
        if self._stage == 3:
            return self._move(hand, np.array([hand[0], hand[1], 1.0]), CLOSED)
        if base is None:
            return self._still(CLOSED)
        if self._stage == 4:
            return self._move(hand, base + up, CLOSED, 0.006)
        if self._stage == 5:
            return self._move(hand, base + np.array([0.0, 0.0, 0.046]), CLOSED)
        if self._stage == 6:
            return self._wait(OPEN)
        return self._move(hand, base + 2 * up, OPEN)

    def _move(self, hand, to, fingers, near=NEAR_M):
        way = to - hand
        if np.linalg.norm(way) < near:
            self._stage += 1
        return [*np.clip(GAIN * way, -1, 1), 0.0, 0.0, 0.0, fingers]

    def _wait(self, fingers):
        self._waited += 1
        if self._waited >= FINGER_STEPS:
            self._stage, self._waited = self._stage + 1, 0
        return self._still(fingers)

    def _still(self, fingers):
        return [0.0] * 6 + [fingers]


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    serve(Mover, port=parser.parse_args().port)
