"""Readings of environments with a mocap body, computed from the open environment."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..original import Observation, Original, Reading


def evaluators(original: Original, constants: Callable[[], Mapping[str, Any]]) -> Mapping[str, Callable[[Reading, Observation], Any]]:
    """`constants` are the numbers of the current episode."""
    data = original.data
    return {
        "body_quat_wxyz": lambda reading, _: np.array(data.body(reading["body"]).xquat),
        "geom_pos": lambda reading, _: np.array(data.geom(reading["geom"]).xpos),
        "geom_quat_xyzw": lambda reading, _: _quaternion(data.geom(reading["geom"]).xmat),
        "site_quat_xyzw": lambda reading, _: _quaternion(data.site(reading["site"]).xmat),
        "site_euler": lambda reading, _: _euler(data.site(reading["site"]).xmat.reshape(3, 3)),
        "site_vel": lambda reading, _: _site_velocity(original, reading["site"])[0],
        "site_angular_vel": lambda reading, _: _site_velocity(original, reading["site"])[1],
        "numbers": lambda reading, _: np.array(reading["values"], dtype=np.float64),
        "constant": lambda reading, _: np.asarray(constants()[reading["name"]], dtype=np.float64),
        "scaled": lambda reading, known: reading["factor"] * known[reading["of"]],
        "clipped": lambda reading, known: np.clip(known[reading["of"]], reading["low"], reading["high"]),
        "largest_positive": lambda reading, known: _largest_positive(known[reading["of"]]),
        "sum": lambda reading, known: known[reading["of"][0]] + known[reading["of"][1]],
        "middle": lambda reading, known: (known[reading["of"][0]] + known[reading["of"][1]]) / 2,
        "distance": lambda reading, known: np.array([np.linalg.norm(known[reading["of"][0]] - known[reading["of"][1]])]),
    }


def _quaternion(matrix: Any) -> Any:
    """xyzw, with w not negative."""
    quaternion = np.zeros(4)
    importlib.import_module("mujoco").mju_mat2Quat(quaternion, np.ravel(matrix))
    return (quaternion if quaternion[0] >= 0 else -quaternion)[[1, 2, 3, 0]]


def _largest_positive(quaternion: Any) -> Any:
    return quaternion if quaternion[np.argmax(np.abs(quaternion))] >= 0 else -quaternion


def _euler(matrix: Any) -> Any:
    """Angles about x, y and z, away from the poles."""
    return -np.arctan2([matrix[1, 2], -matrix[0, 2], matrix[0, 1]], [matrix[2, 2], np.hypot(matrix[2, 2], matrix[1, 2]), matrix[0, 0]])


def _site_velocity(original: Original, name: str) -> tuple[Any, Any]:
    mujoco = importlib.import_module("mujoco")
    model, data = original.model, original.data
    moves, turns = np.zeros((3, model.nv)), np.zeros((3, model.nv))
    mujoco.mj_jacSite(model, data, moves, turns, model.site(name).id)
    return moves @ data.qvel, turns @ data.qvel
