"""PickPlaceCan: the can is in its bin, and the hand is away from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...original import Boundary, Policy
from .reach import joints_at
from .script import Phase, phases
from .task import HAND_AWAY_M, MARGINS, RobosuiteTask, away_from_hand, box_boundaries, in_box, mujoco_objects, placed

#: Height of the space above a bin that counts as inside, in metres.
_BIN_HEIGHT_M = 0.1


def _bin(env: Any, number: int) -> tuple[list[float], list[float]]:
    """The lowest and highest corner of the compartment for an object, as in `not_in_bin`."""
    x, y, z = (float(value) for value in env.bin2_pos)
    width, depth = float(env.bin_size[0]) / 2, float(env.bin_size[1]) / 2
    low_x = x - width if number in (0, 2) else x
    low_y = y - depth if number < 2 else y
    return [low_x, low_y, z], [low_x + width, low_y + depth, z + _BIN_HEIGHT_M]


def _rule(env: Any) -> dict[str, Any]:
    """Any object in its own bin counts, also those that are out of the way."""
    each = [
        {"all": [in_box(thing.root_body, *_bin(env, number)), away_from_hand(thing.root_body)]} for number, thing in enumerate(env.objects)
    ]
    return {"any": each}


def _can(env: Any) -> Any:
    return env.objects[env.object_id]


def _boundaries(env: Any) -> Sequence[Boundary]:
    low, high = _bin(env, env.object_id)
    can = _can(env)
    found = box_boundaries(lambda position: placed(can, position), low, high)
    middle = (np.array(low) + high) / 2
    arm = joints_at(env, middle + (0, 0, 0.04))
    for margin in MARGINS:
        for inside in (True, False):
            distance = HAND_AWAY_M + (margin if inside else -margin)
            name = f"distance from the hand by {margin:g} m, {'inside' if inside else 'outside'}"
            found.append(Boundary(name, inside, {**arm, **placed(can, middle + (0, 0, 0.04 - distance))}))
    return found


def _script(env: Any, rng: np.random.Generator) -> Policy:
    """Grasps the can, carries it over its bin and lets go. The grasp is off by up to 2 cm, so that some attempts fail."""
    low, high = _bin(env, env.object_id)
    drop = np.array([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, low[2] + 0.12])
    offset = np.append(rng.uniform(-0.02, 0.02, 2), 0)
    up = np.array([0, 0, 0.15])
    return phases(
        env,
        [
            Phase(25, lambda seen: seen["Can_pos"] + offset + up),
            Phase(25, lambda seen: seen["Can_pos"] + offset),
            Phase(10, lambda seen: seen["Can_pos"] + offset, closed=True),
            Phase(25, lambda seen: seen["robot0_eef_pos"] + (0, 0, 0.1), closed=True),
            Phase(50, lambda seen: drop + up, closed=True),
            Phase(20, lambda seen: drop, closed=True),
            Phase(10, lambda seen: seen["robot0_eef_pos"]),
            Phase(None, lambda seen: drop + 2 * up),
        ],
    )


PICK_PLACE_CAN = RobosuiteTask("put the can into its bin", mujoco_objects, _rule, _boundaries, _script)
