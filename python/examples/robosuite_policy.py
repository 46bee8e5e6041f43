"""A state-based policy with straight-line motions for robosuite's Lift and Stack.

It reads the poses of the hand and the cubes (`robot0_eef_pos`, `cube_pos`, ...) and commands robosuite's default
controller: metres and radians relative to the hand, scaled to one, and the gripper.

    python robosuite_policy.py
    robot-eval run robosuite --agent ws://127.0.0.1:8000

With `--error-m 0.03` some grasps fail: the hand misses the cube by up to 3 cm along x and y, depending on where the cube is.
"""

from __future__ import annotations

import argparse

import numpy as np
import numpy.typing as npt

from robot_eval_client import Action, Episode, Observation, Policy, serve

Vector = npt.NDArray[np.float64]

#: The motion in metres and radians of an action entry of 1, in robosuite's OSC_POSE.
METRES, RADIANS = 0.05, 0.5
OPEN, CLOSED = -1.0, 1.0
ABOVE_M = 0.10
NEAR_M = 0.012
#: Control steps that the fingers need.
FINGER_STEPS = 12


class CubePolicy(Policy):
    def __init__(self, error_m: float = 0.0) -> None:
        self._error_m = error_m

    def reset(self, episode: Episode) -> None:
        self._error: Vector | None = None
        self._phase = 0
        self._waited = 0
        self._carry_height = 0.0

    def act(self, observation: Observation) -> Action:
        hand = observation["robot0_eef_pos"]
        thing, turn, support = scene(observation)
        if self._error is None:
            self._error = self._error_m * error_at(thing)
        # Up to the grasp; afterwards the cube is where the hand holds it.
        thing = thing + (self._error if self._phase < 3 else 0)
        if self._phase == 0:
            # Align the fingers above the cube first: misaligned fingers would push it away.
            self._next_if(near(hand, thing + [0, 0, ABOVE_M], 2 * NEAR_M) and abs(turn) < 0.08)
            return move(thing + [0, 0, ABOVE_M] - hand, turn, OPEN)
        if self._phase == 1:
            self._next_if(near(hand, thing, NEAR_M))
            return move(thing - hand, turn, OPEN)
        if self._phase == 2:
            self._carry_height = hand[2] + 2 * ABOVE_M
            self._next_if(self._wait())
            return move(np.zeros(3), 0.0, CLOSED)
        if self._phase == 3:
            self._next_if(hand[2] > self._carry_height - 2 * NEAR_M and support is not None)
            return move(np.array([0, 0, self._carry_height - hand[2]]), 0.0, CLOSED)
        assert support is not None
        return self._put(thing, support)

    def _put(self, thing: Vector, support: Vector) -> Action:
        over = support - thing
        if self._phase == 4:
            self._next_if(bool(np.abs(over[:2]).max() < NEAR_M / 2))
            return move(np.array([over[0], over[1], 0.0]), 0.0, CLOSED)
        if self._phase == 5:
            # Slightly more than one cube's height above the other, so that they do not press on each other.
            down = over + [0, 0, 0.047]
            self._next_if(abs(down[2]) < 0.006)
            return move(down, 0.0, CLOSED)
        if self._phase == 6:
            self._next_if(self._wait())
            return move(np.zeros(3), 0.0, OPEN)
        return move(np.array([0, 0, ABOVE_M]), 0.0, OPEN)

    def _next_if(self, is_done: bool) -> None:
        if is_done:
            self._phase += 1
            self._waited = 0

    def _wait(self) -> bool:
        self._waited += 1
        return self._waited > FINGER_STEPS


def scene(observation: Observation) -> tuple[Vector, float, Vector | None]:
    """The cube's position, the rotation that the hand needs, and the target cube's position (None in Lift)."""
    name = "cubeA" if "cubeA_pos" in observation else "cube"
    turn = square_turn(yaw_of(observation[f"{name}_quat"]) - yaw_of(observation["robot0_eef_quat"]))
    support = observation["cubeB_pos"] if name == "cubeA" else None
    return observation[f"{name}_pos"], turn, support


def error_at(position: Vector) -> Vector:
    """Pseudo-random, but the same for the same position: each entry is in [-1, 1], and 0 along z."""
    return np.array([np.sin(9973 * position[0]), np.sin(7919 * position[1]), 0.0])


def move(metres: Vector, turn: float, gripper: float) -> Action:
    """Limits the rotation per step to half of the maximum, because the controller is stiff."""
    there = np.clip(metres / METRES, -1, 1)
    return [*there, 0.0, 0.0, float(np.clip(turn / RADIANS, -0.5, 0.5)), gripper]


def near(here: Vector, there: Vector, metres: float) -> bool:
    return float(np.abs(here - there).max()) < metres


def yaw_of(xyzw: Vector) -> float:
    x, y, z, w = xyzw
    return float(np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)))


def square_turn(angle: float) -> float:
    """The smallest equivalent rotation, because a cube is symmetric under quarter turns."""
    return float((angle + np.pi / 4) % (np.pi / 2) - np.pi / 4)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="a small policy for robosuite's Lift and Stack")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--error-m", type=float, default=0.0, help="largest error of the grasp along x and y (0)")
    options = parser.parse_args()
    serve(lambda: CubePolicy(options.error_m), options.port, options.host)
