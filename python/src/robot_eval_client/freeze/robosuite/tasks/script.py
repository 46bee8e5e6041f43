"""Policies that go through phases: towards a position, with the gripper open or closed."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...original import Observation, Policy

#: Metres and radians of a full action of OSC_POSE.
_FULL_M = 0.05
_FULL_RAD = 0.5


@dataclass(frozen=True)
class Phase:
    #: Control steps; None for the rest of the rollout. The last phase goes on in any case.
    steps: int | None
    #: Where the hand goes.
    goal: Callable[[Observation], Any]
    closed: bool = False
    #: By how much the hand has yet to turn about the vertical axis, in radians.
    turn: Callable[[Observation], float] | None = None
    #: Largest part of the action that is used; less than 1 is slower.
    most: float = 1.0


def phases(env: Any, plan: Sequence[Phase], name: str = "robot0_eef_pos") -> Policy:
    """A policy for OSC_POSE with relative actions."""
    ends = np.cumsum([phase.steps or 10**9 for phase in plan])

    def act(observation: Observation, step: int) -> Any:
        phase = plan[min(int(np.searchsorted(ends, step, side="right")), len(plan) - 1)]
        action = np.zeros(env.action_dim)
        action[:3] = np.clip((phase.goal(observation) - observation[name]) / _FULL_M, -phase.most, phase.most)
        if phase.turn is not None:
            action[5] = np.clip(phase.turn(observation) / _FULL_RAD, -0.4, 0.4)
        action[-1] = 1 if phase.closed else -1
        return action

    return act


def yaw_of(quat_xyzw: Any, axis: int = 0) -> float:
    """The angle of a body's x or y axis about the vertical, in radians."""
    x, y, z, w = (float(value) for value in quat_xyzw)
    along = (1 - 2 * (y * y + z * z), 2 * (x * y + z * w)) if axis == 0 else (2 * (x * y - z * w), 1 - 2 * (x * x + z * z))
    return math.atan2(along[1], along[0])


def smallest_turn(angle: float, period: float) -> float:
    """The equivalent turn in [-period / 2, period / 2)."""
    return (angle + period / 2) % period - period / 2
