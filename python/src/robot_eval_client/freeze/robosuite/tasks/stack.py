"""Stack: cube A touches cube B more than 4 cm above the table's top, and is not between both fingers."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...original import Boundary, Observation, Policy
from ..readings import hand_site, of_arm
from .script import Phase, phases
from .task import FAR_M, MARGINS, RobosuiteTask, in_box, mujoco_objects, placed


def _lowest(env: Any) -> float:
    return float(env.table_offset[2]) + 0.04


def _rule(env: Any) -> dict[str, Any]:
    upper, lower, low = env.cubeA.root_body, env.cubeB.root_body, _lowest(env)
    return {
        "all": [
            in_box(upper, [-2 * FAR_M, -2 * FAR_M, low], [2 * FAR_M, 2 * FAR_M, low + 2 * FAR_M]),
            {"touching": {"object": upper, "base": lower}},
            {"not": {"finger_contact": {"object": upper}}},
        ]
    }


def _boundaries(env: Any) -> Sequence[Boundary]:
    half_a, half_b = (np.array(cube.size) for cube in (env.cubeA, env.cubeB))
    base = np.array([0.1, 0.2, float(env.table_offset[2]) + half_b[2]])
    touching = half_a + half_b
    found: list[Boundary] = []

    def add(name: str, inside: bool, offset: Any) -> None:
        side = "inside" if inside else "outside"
        found.append(Boundary(f"{name}, {side}", inside, {**placed(env.cubeB, base), **placed(env.cubeA, base + offset)}))

    for margin in MARGINS:
        for inside in (True, False):
            sign = -1 if inside else 1
            add(f"gap above the lower cube by {margin:g} m", inside, (0, 0, touching[2] + sign * margin))
            # Beside the lower cube, just higher or lower than the limit.
            height = _lowest(env) - base[2] - sign * margin
            add(f"height by {margin:g} m", inside, (touching[0] - 1e-4, 0, height))
    return [*found, *_between_fingers(env, touching[2])]


def _between_fingers(env: Any, stacked: float) -> list[Boundary]:
    """Both cubes at the hand, and the fingers just apart from, or just on, the upper one."""
    mujoco = importlib.import_module("mujoco")
    model, data = env.sim.model._model, env.sim.data._data
    site = hand_site(env)
    quat = np.zeros(4)
    mujoco.mju_mat2Quat(quat, data.site_xmat[site])
    position, down = np.array(data.site_xpos[site]), -np.array(data.site_xmat[site]).reshape(3, 3)[:, 2]
    cubes = {**placed(env.cubeA, position, quat), **placed(env.cubeB, position - down * (stacked - 1e-4), quat)}
    fingers = list(of_arm(env.robots[0].gripper_joints))
    states = [Boundary("", True, {**cubes, **_opened(fingers, width)}) for width in np.linspace(0.04, 0, 81)]
    pressed = next((number for number, state in enumerate(states) if _is_held(env, state)), 0)
    if pressed == 0:
        return []
    return [
        Boundary("fingers apart, inside", True, states[pressed - 1].joints),
        Boundary("both fingers on it, outside", False, states[pressed].joints),
    ]


def _opened(fingers: Sequence[str], width: float) -> dict[str, list[float]]:
    """The fingers of the Panda move in opposite directions."""
    return {name: [width if number == 0 else -width] for number, name in enumerate(fingers)}


def _is_held(env: Any, state: Boundary) -> bool:
    mujoco = importlib.import_module("mujoco")
    model, data = env.sim.model._model, env.sim.data._data
    kept = np.array(data.qpos)
    for name, values in state.joints.items():
        start = int(model.joint(name).qposadr[0])
        data.qpos[start : start + len(values)] = values
    mujoco.mj_forward(model, data)
    held = bool(env._check_grasp(gripper=env.robots[0].gripper, object_geoms=env.cubeA))
    data.qpos[:] = kept
    mujoco.mj_forward(model, data)
    return held


def _script(env: Any, rng: np.random.Generator) -> Policy:
    """Grasps cube A, carries it over cube B and lets go. The release is off by up to 2 cm, so that some attempts fail."""
    offset = np.append(rng.uniform(-0.02, 0.02, 2), 0)
    height = float(env.cubeA.size[2] + env.cubeB.size[2])

    def over(seen: Observation, above: float) -> Any:
        # Where the hand is if cube A is above cube B.
        return seen["cubeB_pos"] + offset + (0, 0, height + above) + seen["robot0_eef_pos"] - seen["cubeA_pos"]

    return phases(
        env,
        [
            Phase(25, lambda seen: seen["cubeA_pos"] + (0, 0, 0.1)),
            Phase(20, lambda seen: seen["cubeA_pos"]),
            Phase(10, lambda seen: seen["cubeA_pos"], closed=True),
            Phase(15, lambda seen: seen["robot0_eef_pos"] + (0, 0, 0.1), closed=True),
            Phase(35, lambda seen: over(seen, 0.08), closed=True),
            Phase(25, lambda seen: over(seen, 0.003), closed=True, most=0.5),
            Phase(10, lambda seen: seen["robot0_eef_pos"]),
            Phase(None, lambda seen: seen["robot0_eef_pos"] + (0, 0, 0.1)),
        ],
    )


STACK = RobosuiteTask("stack the red cube on the green cube", mujoco_objects, _rule, _boundaries, _script)
