"""States just inside and just outside the goal, as the original judges them."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import FreezeError
from .original import Boundary, Original


def judge_boundaries(original: Original, episode_id: str, state: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The original's verdicts about its boundary states, which change the episode's initial state."""
    _place(original, state["qpos"], {})
    return [_judge(original, boundary, episode_id, state) for boundary in original.boundaries()]


def _place(original: Original, qpos: Sequence[float], joints: Mapping[str, Sequence[float]]) -> None:
    mujoco = importlib.import_module("mujoco")
    model, data = original.model, original.data
    data.qpos[:] = qpos
    data.qvel[:] = 0
    for name, position in joints.items():
        start = int(model.joint(name).qposadr[0])
        data.qpos[start : start + len(position)] = position
    mujoco.mj_forward(model, data)


def _judge(original: Original, boundary: Boundary, episode_id: str, state: Mapping[str, Any]) -> dict[str, Any]:
    _place(original, state["qpos"] if boundary.qpos is None else boundary.qpos, boundary.joints)
    success = original.success()
    if success != boundary.inside:
        side = "inside" if boundary.inside else "outside"
        raise FreezeError(f"the boundary state {boundary.name!r} of episode {episode_id} was meant to be {side} the goal, but the original says otherwise")
    return {"episode_id": episode_id, "name": boundary.name, "qpos": np.array(original.data.qpos).tolist(), "success": success}
