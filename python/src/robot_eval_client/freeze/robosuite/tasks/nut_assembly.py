"""NutAssemblySquare: the square nut is around its peg and low, and the hand is away from it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...original import Boundary, Observation, Policy
from .reach import joints_at
from .script import Phase, phases, smallest_turn, yaw_of
from .task import FAR_M, HAND_AWAY_M, MARGINS, RobosuiteTask, away_from_hand, body_position, box_boundaries, in_box, mujoco_objects, placed

#: Largest distance from the peg's axis, along x and y.
_BESIDE_M = 0.03
#: Largest height above the table's top.
_ABOVE_M = 0.05
#: From the centre of the square nut to its handle.
_HANDLE_M = 0.054


def _goal(env: Any, number: int) -> tuple[list[float], list[float]]:
    """As in `on_peg`: low enough, whatever is below."""
    x, y, _ = _peg(env, number)
    highest = float(env.table_offset[2]) + _ABOVE_M
    return [x - _BESIDE_M, y - _BESIDE_M, -math.inf], [x + _BESIDE_M, y + _BESIDE_M, highest]


def _peg(env: Any, number: int) -> list[float]:
    return body_position(env, "peg1" if number == 0 else "peg2")


def _rule(env: Any) -> dict[str, Any]:
    """Any nut on its own peg counts, also the one that is out of the way."""
    each = []
    for number, nut in enumerate(env.nuts):
        low, high = _goal(env, number)
        on_peg = in_box(nut.root_body, [*low[:2], high[2] - 2 * FAR_M], high)
        each.append({"all": [on_peg, away_from_hand(nut.root_body)]})
    return {"any": each}


def _boundaries(env: Any) -> Sequence[Boundary]:
    number = env.nut_id
    nut = env.nuts[number]
    low, high = _goal(env, number)
    found = box_boundaries(lambda position: placed(nut, position), low, high)
    around = np.array([*_peg(env, number)[:2], high[2] - 0.01])
    arm = joints_at(env, around + (0, 0, 0.04))
    for margin in MARGINS:
        for inside in (True, False):
            distance = HAND_AWAY_M + (margin if inside else -margin)
            name = f"distance from the hand by {margin:g} m, {'inside' if inside else 'outside'}"
            found.append(Boundary(name, inside, {**arm, **placed(nut, around + (0, 0, 0.04 - distance))}))
    return found


def _script(env: Any, rng: np.random.Generator) -> Policy:
    """Grasps the handle, carries the nut over its peg and lets go. The place is off by up to 6 mm, so that some attempts fail."""
    peg = np.array(_peg(env, env.nut_id))
    top = float(env.table_offset[2]) + 0.12
    offset = np.append(rng.uniform(-0.006, 0.006, 2), 0)

    def handle(seen: Observation) -> Any:
        yaw = yaw_of(seen["SquareNut_quat"])
        return seen["SquareNut_pos"] + _HANDLE_M * np.array([math.cos(yaw), math.sin(yaw), 0])

    def align(seen: Observation) -> float:
        """The fingers close along the hand's y axis, which comes to lie across the handle."""
        return smallest_turn(yaw_of(seen["SquareNut_quat"]) - yaw_of(seen["robot0_eef_quat"]), math.pi)

    def square(seen: Observation) -> float:
        """The nut fits on the peg every quarter turn."""
        return smallest_turn(-yaw_of(seen["SquareNut_quat"]), math.pi / 2)

    def over(seen: Observation, height: float) -> Any:
        return np.append((peg + offset + seen["robot0_eef_pos"] - seen["SquareNut_pos"])[:2], height)

    return phases(
        env,
        [
            Phase(35, lambda seen: handle(seen) + (0, 0, 0.1), turn=align),
            Phase(25, handle, turn=align),
            Phase(10, handle, closed=True),
            Phase(25, lambda seen: seen["robot0_eef_pos"] + (0, 0, 0.1), closed=True),
            Phase(50, lambda seen: over(seen, top + 0.1), closed=True, turn=square),
            Phase(25, lambda seen: over(seen, top), closed=True, turn=square),
            Phase(10, lambda seen: seen["robot0_eef_pos"]),
            Phase(None, lambda seen: seen["robot0_eef_pos"] + (0, 0, 0.1)),
        ],
    )


NUT_ASSEMBLY_SQUARE = RobosuiteTask("put the square nut on its peg", mujoco_objects, _rule, _boundaries, _script)
