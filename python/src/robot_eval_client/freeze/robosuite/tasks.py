"""What robosuite's environments say in code only: success, instruction, objects, and policies that solve them.

Success conditions are rules of robot-eval. `robot-eval parity` compares them with `_check_success` at every recorded step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..original import Policy

#: Half of the side of boxes that stand for a half-space, in metres.
_FAR_M = 50.0


@dataclass(frozen=True)
class FrozenTask:
    instruction: str
    #: Bodies whose poses are recorded; rules use these names.
    objects: Callable[[Any], list[str]]
    rule: Callable[[Any], dict[str, Any]]
    #: A policy that usually succeeds; None if there is none.
    script: Callable[[Any, np.random.Generator], Policy] | None = None


def _mujoco_objects(env: Any) -> list[str]:
    return [str(thing.root_body) for thing in env.model.mujoco_objects]


def _higher_than(thing: str, height_m: float) -> dict[str, Any]:
    return {"in": {"object": thing, "region": {"center": [0, 0, height_m + _FAR_M], "size": [4 * _FAR_M, 4 * _FAR_M, 2 * _FAR_M]}, "name": "lifted"}}


def _lift_rule(env: Any) -> dict[str, Any]:
    return _higher_than(env.cube.root_body, float(env.model.mujoco_arena.table_offset[2]) + 0.04)


def _lift_script(env: Any, rng: np.random.Generator) -> Policy:
    """Above the cube, down, close, up. The grasp is off by up to 2.5 cm, so that some attempts fail."""
    offset = rng.uniform(-0.025, 0.025, 3) * (1, 1, 0.4)

    def act(observation: Mapping[str, Any], step: int) -> Any:
        hand, cube = observation["robot0_eef_pos"], observation["cube_pos"] + offset
        action = np.zeros(env.action_dim)
        action[-1] = 1 if step >= 50 else -1
        if step < 25:
            goal = cube + (0, 0, 0.08)
        elif step < 60:
            goal = cube
        else:
            goal = hand + (0, 0, 0.1)
        action[:3] = np.clip((goal - hand) / 0.05, -1, 1)
        return action

    return act


TASKS: dict[str, FrozenTask] = {
    "Lift": FrozenTask("lift the cube", _mujoco_objects, _lift_rule, _lift_script),
}
