"""States on both sides of a LIBERO task's goal, found by asking LIBERO.

A state in which the goal holds is built first: each joint and each object of the goal is moved until its condition holds. From
there, one of them at a time is moved along a line until the goal no longer holds, and the limit is bisected.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import FreezeError
from ..original import Boundary

#: Distances from the limit, in metres or radians. Rounding moves a limit by less than a millionth of the smallest.
_OBJECT_MARGINS = (1e-5, 1e-4, 1e-3)
_JOINT_MARGINS = (1e-6, 1e-5, 1e-4, 1e-3, 3e-3)
_BISECTIONS = 40
#: Fewest pairs of states, one inside and one outside.
_FEWEST_PAIRS = 5
#: An object is searched from this height above its place to this depth below it, in metres.
_HIGHEST_M, _LOWEST_M, _STEP_M = 0.3, -0.15, 0.002
_POSITIONS_PER_JOINT = 201
#: Objects leave every region within this distance, in metres.
_FARTHEST_M = 1.0
#: Conditions are made to hold in order; an object on another one that is placed later needs a second round.
_ROUNDS = 2

#: Position of each moved joint.
Moves = dict[str, Any]


class GoalLimits:
    """Searches from a position of all joints, with all velocities zero. Leaves the environment in another state."""

    def __init__(self, env: Any, qpos: Sequence[float]) -> None:
        self._env = env
        self._qpos = np.array(qpos, dtype=np.float64)
        self._mujoco = importlib.import_module("mujoco")

    def boundaries(self) -> list[Boundary]:
        goal = self._env.parsed_problem["goal_state"]
        inside = self._satisfied(goal)
        found: list[Boundary] = []
        for condition in goal:
            joints = self._joints_of(condition)
            lines = self._joint_lines(joints, inside) if joints else self._object_lines(condition[1], inside)
            margins = _JOINT_MARGINS if joints else _OBJECT_MARGINS
            for line in lines:
                found += self._limit(" ".join(condition), line, inside, margins)
        if len(found) < 2 * _FEWEST_PAIRS:
            raise FreezeError(f"{len(found)} states at the limits of the goal {goal} were found; at least {2 * _FEWEST_PAIRS} are needed")
        return found

    def _holds(self, moves: Moves, condition: Sequence[str] | None = None) -> bool:
        env = self._env
        model, data = env.sim.model._model, env.sim.data._data
        data.qpos[:] = self._qpos
        data.qvel[:] = 0
        for joint, position in moves.items():
            start = int(model.joint(joint).qposadr[0])
            data.qpos[start : start + len(position)] = position
        self._mujoco.mj_forward(model, data)
        return bool(env._check_success() if condition is None else env._eval_predicate(condition))

    def _satisfied(self, goal: Sequence[Sequence[str]]) -> Moves:
        moves: Moves = {}
        for _ in range(_ROUNDS):
            for condition in goal:
                joints = self._joints_of(condition)
                tries = self._joint_tries(joints, moves) if joints else self._object_tries(condition, moves)
                holding = [move for move in tries if self._holds(move, condition)]
                if not holding:
                    raise FreezeError(f"no state was found in which the condition ({' '.join(condition)}) holds")
                # Far from both limits.
                moves = holding[len(holding) // 2]
        if not self._holds(moves):
            raise FreezeError(f"no state was found in which all of {goal} hold")
        return moves

    def _joints_of(self, condition: Sequence[str]) -> list[str]:
        """The joints that a condition is about; none for a condition about places of objects."""
        if len(condition) > 2:
            return []
        env = self._env
        state = env.object_states_dict[condition[1]]
        holder = env.object_sites_dict if state.object_state_type == "site" else None
        return [str(joint) for joint in (holder[condition[1]] if holder else env.get_object(condition[1])).joints]

    def _range(self, joint: str) -> tuple[float, float]:
        low, high = self._env.sim.model._model.joint(joint).range
        return float(low), float(high)

    def _joint_tries(self, joints: Sequence[str], moves: Moves) -> Iterator[Moves]:
        for share in np.linspace(0, 1, _POSITIONS_PER_JOINT):
            positions = {joint: np.array([low + share * (high - low)]) for joint in joints for low, high in [self._range(joint)]}
            yield {**moves, **positions}

    def _object_tries(self, condition: Sequence[str], moves: Moves) -> Iterator[Moves]:
        """Above and below the place that the condition names, with the object's own rotation."""
        _, thing, place = condition
        self._holds(moves)
        env = self._env
        centre = np.array(env.object_states_dict[place].get_geom_state()["pos"])
        joint = env.get_object(thing).joints[-1]
        start = int(env.sim.model._model.joint(joint).qposadr[0])
        rotation = self._qpos[start + 3 : start + 7]
        for height in np.arange(_HIGHEST_M, _LOWEST_M, -_STEP_M):
            yield {**moves, joint: np.concatenate([centre + (0, 0, height), rotation])}

    def _joint_lines(self, joints: Sequence[str], inside: Moves) -> Iterator[_Line]:
        for joint in joints:
            for end in self._range(joint):
                # Beyond the range too: limits of joints are soft, and some thresholds lie at their end.
                way = (end - float(inside[joint][0])) * 1.1 or 0.1
                yield _Line(f"{joint} {'+' if way > 0 else '-'}", joint, np.array([np.sign(way)]), abs(way))

    def _object_lines(self, thing: str, inside: Moves) -> Iterator[_Line]:
        joint = self._env.get_object(thing).joints[-1]
        for axis, letter in enumerate("xyz"):
            for sign in (1.0, -1.0):
                direction = np.zeros_like(inside[joint])
                direction[axis] = sign
                yield _Line(f"{letter}{'+' if sign > 0 else '-'}", joint, direction, _FARTHEST_M)

    def _limit(self, condition: str, line: _Line, inside: Moves, margins: Sequence[float]) -> list[Boundary]:
        def moved(distance: float) -> Moves:
            return {**inside, line.joint: inside[line.joint] + distance * line.direction}

        outside = next((distance for distance in np.geomspace(1e-4, line.farthest, 60) if not self._holds(moved(distance))), None)
        if outside is None:
            return []
        low, high = 0.0, float(outside)
        for _ in range(_BISECTIONS):
            middle = (low + high) / 2
            low, high = (middle, high) if self._holds(moved(middle)) else (low, middle)
        found = []
        for margin in margins:
            name = f"{condition}, {line.name}, {margin:g}"
            # Where the goal has a second limit nearby, a state may be on its other side.
            if low - margin >= 0 and self._holds(moved(low - margin)) and not self._holds(moved(high + margin)):
                found.append(_boundary(f"{name} inside", True, moved(low - margin)))
                found.append(_boundary(f"{name} outside", False, moved(high + margin)))
        return found


@dataclass(frozen=True)
class _Line:
    """Along which a joint leaves the goal."""

    name: str
    joint: str
    #: Per unit of distance, in metres or radians.
    direction: Any
    farthest: float


def _boundary(name: str, inside: bool, moves: Moves) -> Boundary:
    return Boundary(name, inside, {joint: [float(value) for value in position] for joint, position in moves.items()})
