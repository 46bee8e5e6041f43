"""Picks up the goal's target object and places it at the target location, with Stretch and straight-line motions.

It uses the objects' initial positions (`scene_objects`, which manipulation episodes disclose) and the sensors `qpos`
and `ee_pose`. It has no obstacle avoidance and does not detect a lost object.

    python pick_place_policy.py
    robot-eval run manipulation_challenge --filter task=pick_place --agent ws://127.0.0.1:8000
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from robot_eval_client import Action, Episode, Observation, Policy, serve

Vector = npt.NDArray[np.float64]

# Indices in Stretch's action vector: the target of each degree of freedom, in metres and radians.
BASE_X, LIFT, ARM, WRIST_YAW, GRIPPER = 0, 3, 4, 5, 6
BASE_THETA = 2

#: Maximum change of a target per step, and its maximum distance from the current position.
STEP_M = 0.012
LEAD_M = 0.05
GAIN = 0.3
NEAR_M = 0.008
#: Control steps that the fingers need to close or open.
FINGER_STEPS = 20
#: A move that does not reach its target in this many steps is abandoned.
MAX_STEPS = 120


@dataclass(frozen=True)
class Move:
    """Moves the grip point to a target with the fingers open or closed; without a target, waits for the fingers."""

    target: Vector | None
    closed: bool


class PickPlacePolicy(Policy):
    sensors = ["qpos", "ee_pose"]
    conventions = {"action_dim": 7, "control_mode": "joint_position", "quaternion_order": "wxyz"}

    def reset(self, episode: Episode) -> None:
        self._moves = plan(episode)
        self._open, self._closed = gripper_values(episode)
        self._target: Vector | None = None
        self._steps = 0

    def act(self, observation: Observation) -> Action:
        qpos, hand = observation["qpos"], observation["ee_pose"]
        if self._target is None:
            self._target = qpos.copy()
        while self._moves and self._is_done(self._moves[0], hand[:3]):
            self._moves.pop(0)
            self._steps = 0
        if not self._moves:
            return "stop"
        self._steps += 1
        move = self._moves[0]
        if move.target is not None:
            self._approach(move.target - hand[:3], qpos, yaw_of(hand[3:]))
        self._target[GRIPPER] = self._closed if move.closed else self._open
        return self._target

    def _is_done(self, move: Move, hand: Vector) -> bool:
        if move.target is None:
            return self._steps >= FINGER_STEPS
        return self._steps >= MAX_STEPS or float(np.max(np.abs(move.target - hand))) < NEAR_M

    def _approach(self, error: Vector, qpos: Vector, hand_yaw: float) -> None:
        """The arm moves the hand along its direction, the base across it, the lift vertically.

        The arm extends to the robot's right, so the base drives in the direction a quarter turn to the left of the
        arm's initial direction.
        """
        assert self._target is not None
        arm_yaw = hand_yaw - qpos[WRIST_YAW]
        drive_yaw = arm_yaw - qpos[BASE_THETA] + np.pi / 2
        along = error[0] * np.cos(arm_yaw) + error[1] * np.sin(arm_yaw)
        across = error[0] * np.cos(drive_yaw) + error[1] * np.sin(drive_yaw)
        for joint, wanted in ((ARM, along), (BASE_X, across), (LIFT, error[2])):
            moved = self._target[joint] + np.clip(GAIN * wanted, -STEP_M, STEP_M)
            self._target[joint] = np.clip(moved, qpos[joint] - LEAD_M, qpos[joint] + LEAD_M)


def plan(episode: Episode) -> list[Move]:
    """Approach from the front, close, lift, carry, lower, open, retract. Empty if the goal names no object."""
    goals = episode.goals or {}
    name = (goals.get("target_object") or {}).get("name")
    goal = (goals.get("target_location") or {}).get("position")
    objects: list[dict[str, Any]] = episode.get("scene_objects") or []
    start = next((thing.get("position") for thing in objects if thing.get("name") == name), None)
    if start is None:
        return []
    here = np.array(start, dtype=np.float64)
    there = np.array(goal if goal is not None else start, dtype=np.float64)
    # Stretch's arm points along +x of the world frame in the episodes that come with robot-eval.
    back, up = np.array([-0.16, 0.0, 0.0]), np.array([0.0, 0.0, 0.15])
    return [
        Move(here + back + up, False),
        Move(here + back, False),
        Move(here, False),
        Move(None, True),
        Move(here + up, True),
        Move(there + up, True),
        Move(there + np.array([0.0, 0.0, 0.005]), True),
        Move(None, False),
        Move(there + back, False),
    ]


def gripper_values(episode: Episode) -> tuple[float, float]:
    """The open and closed position, from the task's conventions or else the gripper's range."""
    conventions = episode.conventions
    if "gripper_open" in conventions and "gripper_closed" in conventions:
        return float(conventions["gripper_open"]), float(conventions["gripper_closed"])
    ranges = episode.action_space.get("range") or [[0.0, 0.04]]
    low, high = ranges[-1] if isinstance(ranges[-1], list) else ranges
    return float(high), float(low)


def yaw_of(wxyz: Vector) -> float:
    w, x, y, z = wxyz
    return float(np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="a small policy for pick and place with Stretch")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--host", default="127.0.0.1")
    options = parser.parse_args()
    serve(PickPlacePolicy, options.port, options.host)
