"""Follows an instruction by its turns alone: `left` and `right` in the text, free space in the depth picture.

It does not know what a door or a bed is, so it is a floor to stand on and not a result: it shows where your model goes.

    python vln_policy.py
    robot-eval run configs/benchmarks/vln_challenge.yaml --agent ws://127.0.0.1:8000
"""

from __future__ import annotations

import argparse
import re
from typing import Any

import numpy as np
import numpy.typing as npt

from robot_eval_client import Action, Episode, Observation, Policy, serve

#: What `turn_left` turns and `move_forward` moves, unless the evaluation sets it otherwise.
TURN_DEG = 15
STEP_M = 0.25

#: Nearer than this ahead, a step would end at a wall.
CLEAR_M = 0.6
#: A stretch between two turns is no longer than this: after it the next turn is due.
LONGEST_STRETCH_M = 5.0
#: Turns in one place to find a way on, before it counts as the end of a stretch.
MOST_LOOKING = 4

_CUE = re.compile(r"\bturn (?:(slightly|sharply) )?(left|right)|\bturn (around)|\bon your (left|right)", re.IGNORECASE)


class VlnPolicy(Policy):
    sensors = ["depth", "instruction"]
    conventions = {"action_space": "discrete", "depth_unit": "m"}

    def reset(self, episode: Episode) -> None:
        self._turns = turns_in(episode.instruction)
        self._owed_deg = 0.0
        self._walked_m = 0.0
        self._looked = 0
        # The first turn is done where the instruction begins, the others where a stretch ends.
        if self._turns and re.match(r"\s*turn\b", episode.instruction, re.IGNORECASE):
            self._owed_deg = self._turns.pop(0)

    def act(self, observation: Observation) -> Action:
        if abs(self._owed_deg) >= TURN_DEG / 2:
            return self._turn()
        left, ahead, right = free_space(observation["depth"])
        if ahead > CLEAR_M and self._walked_m < LONGEST_STRETCH_M:
            self._walked_m += STEP_M
            self._looked = 0
            return "move_forward"
        if self._walked_m < LONGEST_STRETCH_M and self._looked < MOST_LOOKING and max(left, right) > CLEAR_M:
            # Keeps to the side it chose, or it would look to and fro for ever.
            if self._looked == 0:
                self._side = 1 if left > right else -1
            self._looked += 1
            self._owed_deg = TURN_DEG * self._side
            return self._turn()
        if not self._turns:
            return "stop"
        self._owed_deg = self._turns.pop(0)
        self._walked_m = 0.0
        self._looked = 0
        return self._turn()

    def _turn(self) -> str:
        side = 1 if self._owed_deg > 0 else -1
        self._owed_deg -= side * TURN_DEG
        return "turn_left" if side > 0 else "turn_right"


def turns_in(instruction: str) -> list[float]:
    """The turns that the text names, in degrees, to the left positive.

    Things "on your left" are passed, doors "on your left" are taken: only those turn.
    """
    turns: list[float] = []
    for cue in _CUE.finditer(instruction):
        how, side, around, door_side = cue.groups()
        if around:
            turns.append(180.0)
        elif side:
            angle = {"slightly": 30.0, "sharply": 120.0}.get((how or "").lower(), 90.0)
            turns.append(angle if side.lower() == "left" else -angle)
        elif "door" in instruction[max(0, cue.start() - 12) : cue.start()].lower():
            turns.append(90.0 if door_side.lower() == "left" else -90.0)
    return turns


def free_space(depth: npt.NDArray[Any]) -> tuple[float, float, float]:
    """Metres to the nearest thing on the left, ahead and on the right, at the height of the body."""
    height, width = depth.shape
    band = depth[int(height * 0.4) : int(height * 0.75)]
    # 0 is nothing within the camera's range.
    band = np.where(band > 0, band, np.float32(10))
    third = width // 3
    left, ahead, right = band[:, :third], band[:, third : 2 * third], band[:, 2 * third :]
    return float(np.percentile(left, 20)), float(np.percentile(ahead, 2)), float(np.percentile(right, 20))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="a small policy for instruction following")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--host", default="127.0.0.1")
    options = parser.parse_args()
    # The class, not an object: each session gets an object of its own, so episodes can run side by side.
    serve(VlnPolicy, options.port, options.host)
