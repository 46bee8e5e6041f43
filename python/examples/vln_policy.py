"""Follows an instruction by its turns only: `left` and `right` in the text, free space in the depth image.

It does not recognise objects, so it is a weak baseline. It shows where to call your model.

    python vln_policy.py
    robot-eval run vln_challenge --agent ws://127.0.0.1:8000
"""

from __future__ import annotations

import argparse
import re
from typing import Any

import numpy as np
import numpy.typing as npt

from robot_eval_client import Action, Episode, Observation, Policy, serve

#: The angle of `turn_left` and the distance of `move_forward`, with the default settings.
TURN_DEG = 15
STEP_M = 0.25

#: Free space required ahead for a step forward.
CLEAR_M = 0.6
#: Maximum distance between two turns of the instruction.
MAX_SEGMENT_M = 5.0
#: Turns on the spot in search of free space, before the segment counts as finished.
MAX_SEARCH_TURNS = 4

_CUE = re.compile(r"\bturn (?:(slightly|sharply) )?(left|right)|\bturn (around)|\bon your (left|right)", re.IGNORECASE)


class VlnPolicy(Policy):
    sensors = ["depth", "instruction"]
    conventions = {"action_space": "discrete", "depth_unit": "m"}

    def reset(self, episode: Episode) -> None:
        self._turns = turns_in(episode.instruction)
        self._remaining_deg = 0.0
        self._walked_m = 0.0
        self._search_turns = 0
        # If the instruction begins with a turn, it is done at the start; the others at the end of a segment.
        if self._turns and re.match(r"\s*turn\b", episode.instruction, re.IGNORECASE):
            self._remaining_deg = self._turns.pop(0)

    def act(self, observation: Observation) -> Action:
        if abs(self._remaining_deg) >= TURN_DEG / 2:
            return self._turn()
        left, ahead, right = free_space(observation["depth"])
        if ahead > CLEAR_M and self._walked_m < MAX_SEGMENT_M:
            self._walked_m += STEP_M
            self._search_turns = 0
            return "move_forward"
        if self._walked_m < MAX_SEGMENT_M and self._search_turns < MAX_SEARCH_TURNS and max(left, right) > CLEAR_M:
            # Keep turning to the same side, to avoid oscillation.
            if self._search_turns == 0:
                self._side = 1 if left > right else -1
            self._search_turns += 1
            self._remaining_deg = TURN_DEG * self._side
            return self._turn()
        if not self._turns:
            return "stop"
        self._remaining_deg = self._turns.pop(0)
        self._walked_m = 0.0
        self._search_turns = 0
        return self._turn()

    def _turn(self) -> str:
        side = 1 if self._remaining_deg > 0 else -1
        self._remaining_deg -= side * TURN_DEG
        return "turn_left" if side > 0 else "turn_right"


def turns_in(instruction: str) -> list[float]:
    """The turns in the text, in degrees, positive to the left.

    "on your left" counts as a turn only for doors; other objects are passed.
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
    """Metres to the nearest obstacle on the left, ahead and on the right, at the height of the body."""
    height, width = depth.shape
    band = depth[int(height * 0.4) : int(height * 0.75)]
    # A depth of 0 means that nothing is within the camera's range.
    band = np.where(band > 0, band, np.float32(10))
    third = width // 3
    left, ahead, right = band[:, :third], band[:, third : 2 * third], band[:, 2 * third :]
    return float(np.percentile(left, 20)), float(np.percentile(ahead, 2)), float(np.percentile(right, 20))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="a small policy for instruction following")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--host", default="127.0.0.1")
    options = parser.parse_args()
    # The class, not an object: each session gets its own object, so that episodes can run concurrently.
    serve(VlnPolicy, options.port, options.host)
