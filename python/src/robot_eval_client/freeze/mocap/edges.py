"""States on both sides of the goal's boundary, found by bisection with the original's own judgement."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import FreezeError
from ..original import Boundary

if TYPE_CHECKING:
    from .original import MocapOriginal

#: How far from the boundary, as a share of the way from the initial state to the goal.
_MARGINS = (1e-7, 1e-4, 3e-2)
_BISECTIONS = 60
_IK_STEPS = 50
_DAMPING = 1e-4


def edges(original: MocapOriginal) -> list[Boundary]:
    """From the initial state. For each margin, a state just inside and one just outside, on the straight way in joint space to the goal."""
    start = _Joints(original)
    goal = start.at_target()
    if start.succeeds(goal) == start.succeeds(start.values):
        raise FreezeError("no state was found on whose way from the initial one the goal begins")
    inside, outside = (1.0, 0.0) if start.succeeds(goal) else (0.0, 1.0)
    for _ in range(_BISECTIONS):
        middle = (inside + outside) / 2
        if start.succeeds(start.between(goal, middle)):
            inside = middle
        else:
            outside = middle
    found = []
    for margin in _MARGINS:
        step = margin if inside > outside else -margin
        for name, share in (("inside", inside + step), ("outside", outside - step)):
            values = start.between(goal, share)
            is_inside = start.succeeds(values)
            found.append(Boundary(f"{name} by {margin:g}", is_inside, qpos=original.data.qpos.tolist()))
    return found


class _Joints:
    """The joints that decide, and the rest as after the reset."""

    def __init__(self, original: MocapOriginal) -> None:
        self._original = original
        self._mujoco = importlib.import_module("mujoco")
        self._start = np.array(original.data.qpos)
        joints = [original.model.joint(joint) for joint in original.goal_joints]
        self._is_free = [int(joint.type[0]) for joint in joints] == [int(self._mujoco.mjtJoint.mjJNT_FREE)]
        # A free joint is moved, but not turned.
        self._at = [int(joint.qposadr[0]) + offset for joint in joints for offset in range(3 if self._is_free else 1)]
        self.values = self._start[self._at]

    def _place(self, values: Any) -> None:
        data = self._original.data
        data.qpos[:], data.qvel[:] = self._start, 0
        data.qpos[self._at] = values
        self._mujoco.mj_forward(self._original.model, data)

    def succeeds(self, values: Any) -> bool:
        self._place(values)
        return self._original.success()

    def between(self, goal: Any, share: float) -> Any:
        return self.values + share * (goal - self.values)

    def at_target(self) -> Any:
        """Values with which the point is at the target, as closely as the joints allow."""
        self._place(self.values)
        if self._is_free:
            return self.values + self._original.target() - self._original.point()
        return self._by_inverse_kinematics()

    def _by_inverse_kinematics(self) -> Any:
        """Damped least squares with differences for derivatives (Wampler 1986, IEEE Transactions on SMC 16)."""
        values = self.values.copy()
        for _ in range(_IK_STEPS):
            self._place(values)
            point = np.array(self._original.point())
            jacobian = np.stack([self._derivative(values, index, point) for index in range(len(values))], axis=1)
            gap = self._original.target() - point
            square = jacobian @ jacobian.T + _DAMPING * np.eye(3)
            values = values + jacobian.T @ np.linalg.solve(square, gap)
        return values

    def _derivative(self, values: Any, index: int, point: Any) -> Any:
        moved = values.copy()
        moved[index] += 1e-6
        self._place(moved)
        return (self._original.point() - point) / 1e-6
