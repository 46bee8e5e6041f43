"""Joints of the arm that bring the hand to a position, for boundary states."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from ..readings import hand_site

_ITERATIONS = 200
_DAMPING = 1e-3


def joints_at(env: Any, target: Any) -> dict[str, list[float]]:
    """Positions of the arm's joints with the hand at `target`, whatever its rotation (damped least squares). The state is left as it is."""
    mujoco = importlib.import_module("mujoco")
    model, live = env.sim.model._model, env.sim.data._data
    robot = env.robots[0]
    site = hand_site(env)
    data = mujoco.MjData(model)
    data.qpos[:] = live.qpos
    names = list(robot.robot_joints)
    positions = [int(model.joint(name).qposadr[0]) for name in names]
    columns = [int(model.joint(name).dofadr[0]) for name in names]
    jacobian = np.zeros((3, model.nv))
    for _ in range(_ITERATIONS):
        mujoco.mj_forward(model, data)
        error = np.asarray(target) - data.site_xpos[site]
        if np.linalg.norm(error) < 1e-12:
            break
        mujoco.mj_jacSite(model, data, jacobian, None, site)
        own = jacobian[:, columns]
        step = own.T @ np.linalg.solve(own @ own.T + _DAMPING * np.linalg.norm(error) * np.eye(3), error)
        data.qpos[positions] += np.clip(step, -0.2, 0.2)
    return {name: [float(data.qpos[at])] for name, at in zip(names, positions)}
