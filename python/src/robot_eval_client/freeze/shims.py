"""Makes robosuite 1.4 and 1.5 and Gymnasium-Robotics run with MuJoCo 3.14. Nothing in the installed packages is edited.

1. A value of `mujoco.mjtJoint` no longer equals NumPy's integers, so both find no joint type.
2. `mujoco.mj_fullM` takes the data; before, it took the sparse inertia matrix `qM`, which the data no longer has.
"""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np


def apply_shims() -> list[str]:
    """Replaces what does not work with the installed MuJoCo, and returns what was replaced."""
    mujoco = importlib.import_module("mujoco")
    binding = importlib.import_module("robosuite.utils.binding_utils")
    applied = []
    if np.int32(mujoco.mjtJoint.mjJNT_HINGE) not in (mujoco.mjtJoint.mjJNT_HINGE,):
        _compare_joint_types_as_integers(mujoco, binding)
        applied.append("joint types are compared as integers")
    if not hasattr(mujoco.MjData, "qM") and not hasattr(binding.MjData, "qM"):
        _full_inertia_from_data(mujoco, binding)
        applied.append("the full inertia matrix is computed from the data")
    return applied


def compare_enumerations_as_integers(module: Any) -> list[str]:
    """Gives a module another `mujoco`, whose enumerations are integers, and returns what was replaced."""
    mujoco = importlib.import_module("mujoco")
    if np.int32(mujoco.mjtJoint.mjJNT_HINGE) in (mujoco.mjtJoint.mjJNT_HINGE,):
        return []
    module.mujoco = _WithIntegers(mujoco)
    return ["joint types are compared as integers"]


class _WithIntegers:
    def __init__(self, mujoco: Any) -> None:
        self._mujoco = mujoco

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._mujoco, name)
        if not name.startswith("mjt"):
            return value
        return type(name, (), {member: int(getattr(value, member)) for member in dir(value) if member.startswith("mj")})


def _compare_joint_types_as_integers(mujoco: Any, binding: Any) -> None:
    free, ball = int(mujoco.mjtJoint.mjJNT_FREE), int(mujoco.mjtJoint.mjJNT_BALL)

    def address_of(addresses: str, free_width: int, ball_width: int) -> Any:
        def address(self: Any, name: str) -> Any:
            joint = self.joint_name2id(name)
            start = getattr(self, addresses)[joint]
            width = {free: free_width, ball: ball_width}.get(int(self.jnt_type[joint]), 1)
            return start if width == 1 else (start, start + width)

        return address

    binding.MjModel.get_joint_qpos_addr = address_of("jnt_qposadr", 7, 4)
    binding.MjModel.get_joint_qvel_addr = address_of("jnt_dofadr", 6, 3)


def _full_inertia_from_data(mujoco: Any, binding: Any) -> None:
    native = mujoco.mj_fullM
    binding.MjData.qM = property(lambda self: self._data)
    mujoco.mj_fullM = lambda model, dense, data: native(model, data, dense)
