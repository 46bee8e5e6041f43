"""Picks up what it is told to, and puts it on something else: a few straight moves for robosuite's Lift and Stack.

It looks at where the hand and the cubes are (`robot0_eef_pos`, `cube_pos`, ...), as policies that see states do, and
drives robosuite's default controller: metres and radians from where the hand is, scaled to one, and the gripper.

    python robosuite_policy.py
    robot-eval run configs/benchmarks/robosuite.yaml --agent ws://127.0.0.1:8000
"""

from __future__ import annotations

import argparse

import numpy as np
import numpy.typing as npt

from robot_eval_client import Action, Episode, Observation, Policy, serve

Vector = npt.NDArray[np.float64]

#: Metres and radians that 1 in an action stands for, in robosuite's OSC_POSE.
METRES, RADIANS = 0.05, 0.5
OPEN, CLOSED = -1.0, 1.0
ABOVE_M = 0.10
NEAR_M = 0.012
#: Control steps that the fingers need.
FINGER_STEPS = 12


class CubePolicy(Policy):
    def reset(self, episode: Episode) -> None:
        self._phase = 0
        self._waited = 0
        self._carry_height = 0.0

    def act(self, observation: Observation) -> Action:
        hand = observation["robot0_eef_pos"]
        thing, turn, support = scene(observation)
        if self._phase == 0:
            # Turned over the cube first: fingers that come down askew push it away.
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
            # One cube's height above the other, and a little, so that it is not pushed in.
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
    """Where the cube is, how far the hand must turn for it, and where it goes; nowhere in Lift."""
    name = "cubeA" if "cubeA_pos" in observation else "cube"
    turn = square_turn(yaw_of(observation[f"{name}_quat"]) - yaw_of(observation["robot0_eef_quat"]))
    support = observation["cubeB_pos"] if name == "cubeA" else None
    return observation[f"{name}_pos"], turn, support


def move(metres: Vector, turn: float, gripper: float) -> Action:
    """Half of the way in each step at most: the controller is stiff, and the fingers are close."""
    there = np.clip(metres / METRES, -1, 1)
    return [*there, 0.0, 0.0, float(np.clip(turn / RADIANS, -0.5, 0.5)), gripper]


def near(here: Vector, there: Vector, metres: float) -> bool:
    return float(np.abs(here - there).max()) < metres


def yaw_of(xyzw: Vector) -> float:
    x, y, z, w = xyzw
    return float(np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)))


def square_turn(angle: float) -> float:
    """A cube looks the same after each quarter turn: the least turn that will do."""
    return float((angle + np.pi / 4) % (np.pi / 2) - np.pi / 4)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="a small policy for robosuite's Lift and Stack")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--host", default="127.0.0.1")
    options = parser.parse_args()
    serve(CubePolicy, options.port, options.host)
