"""Lift: the cube is more than 4 cm above the table's top."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...original import Boundary, Policy
from .script import Phase, phases
from .task import FAR_M, MARGINS, RobosuiteTask, in_box, mujoco_objects, placed


def _lowest(env: Any) -> float:
    return float(env.model.mujoco_arena.table_offset[2]) + 0.04


def _rule(env: Any) -> dict[str, Any]:
    low = _lowest(env)
    rule = in_box(env.cube.root_body, [-2 * FAR_M, -2 * FAR_M, low], [2 * FAR_M, 2 * FAR_M, low + 2 * FAR_M])
    rule["in"]["name"] = "lifted"
    return rule


def _boundaries(env: Any) -> Sequence[Boundary]:
    found = []
    for number, margin in enumerate((*MARGINS, 1e-2, 1e-4)):
        angle = 0.3 * number
        turned = (math.cos(angle), 0, math.sin(angle), 0)
        for inside in (True, False):
            height = _lowest(env) + (margin if inside else -margin)
            name = f"height by {margin:g} m, {'inside' if inside else 'outside'}"
            found.append(Boundary(name, inside, placed(env.cube, (0.02 * number, -0.1, height), turned)))
    return found


def _script(env: Any, rng: np.random.Generator) -> Policy:
    """Above the cube, down, close, up. The grasp is off by up to 2.5 cm, so that some attempts fail."""
    offset = rng.uniform(-0.025, 0.025, 3) * (1, 1, 0.4)
    return phases(
        env,
        [
            Phase(25, lambda seen: seen["cube_pos"] + offset + (0, 0, 0.08)),
            Phase(25, lambda seen: seen["cube_pos"] + offset),
            Phase(10, lambda seen: seen["cube_pos"] + offset, closed=True),
            Phase(None, lambda seen: seen["robot0_eef_pos"] + (0, 0, 0.1), closed=True),
        ],
    )


LIFT = RobosuiteTask("lift the cube", mujoco_objects, _rule, _boundaries, _script)
