"""robosuite's observations as readings of the model, which robot-eval evaluates without Python.

Each reading is compared with the observation of the original before it is written, so a wrong one cannot pass.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

Reading = dict[str, Any]

#: Largest difference between a reading and robosuite's observation.
_TOLERANCE = 1e-9


def candidates(env: Any) -> list[tuple[str, Reading]]:
    """Readings that observations may have, by their names in robosuite; several for one name are tried in order."""
    model, robot = env.sim.model, env.robots[0]
    arm = robot.arms[0]
    prefix = robot.robot_model.naming_prefix
    joints = list(robot.robot_joints)
    found: list[tuple[str, Reading]] = [
        (f"{prefix}joint_pos", {"kind": "qpos", "joints": joints}),
        (f"{prefix}joint_pos_cos", {"kind": "cos_qpos", "joints": joints}),
        (f"{prefix}joint_pos_sin", {"kind": "sin_qpos", "joints": joints}),
        (f"{prefix}joint_vel", {"kind": "qvel", "joints": joints}),
        (f"{prefix}joint_acc", {"kind": "qacc", "joints": joints}),
        (f"{prefix}eef_pos", {"kind": "site_pos", "site": model.site_id2name(robot.eef_site_id[arm])}),
        (f"{prefix}eef_quat", {"kind": "body_quat_xyzw", "body": robot.robot_model.eef_name[arm]}),
        (f"{prefix}eef_quat_site", {"kind": "site_quat_xyzw", "site": model.site_id2name(robot.eef_site_id[arm])}),
        (f"{prefix}gripper_qpos", {"kind": "qpos", "joints": list(robot.gripper_joints[arm])}),
        (f"{prefix}gripper_qvel", {"kind": "qvel", "joints": list(robot.gripper_joints[arm])}),
    ]
    for name in env.observation_spec():
        if name.endswith("_pos") and not name.startswith(prefix):
            found += [(name, {"kind": "body_pos", "body": body}) for body in _bodies_of(env, name[: -len("_pos")])]
            found += [(name, {"kind": "site_pos", "site": site}) for site in _sites_of(env, name[: -len("_pos")])]
        if name.endswith("_quat") and not name.startswith(prefix):
            found += [(name, {"kind": "body_quat_xyzw", "body": body}) for body in _bodies_of(env, name[: -len("_quat")])]
        if name.endswith("_qpos") and not name.startswith(prefix):
            for joint in model.joint_names:
                found.append((name, {"kind": "qpos", "joints": [joint]}))
    return found


def differences(names: list[str]) -> list[tuple[str, Reading]]:
    """An observation may be the difference of two others, such as `gripper_to_cube_pos`."""
    positions = [name for name in names if name.endswith("_pos")]
    return [
        (name, {"kind": "difference", "of": [one, other]})
        for name in positions
        if "_to_" in name
        for one in positions
        for other in positions
        if one != other and "_to_" not in one and "_to_" not in other and len({one, other, name}) == 3
    ]


def relative_poses(names: list[str]) -> list[tuple[str, Reading]]:
    """PickPlace and NutAssembly give an object's pose in the frame of the gripper."""
    found: list[tuple[str, Reading]] = []
    for name in names:
        thing, _, rest = name.partition("_to_")
        frame = rest.rsplit("_", 1)[0]
        if not rest:
            continue
        pose = {"object": [f"{thing}_pos", f"{thing}_quat"], "frame": [f"{frame}_pos", f"{frame}_quat"]}
        if rest.endswith("_pos"):
            found.append((name, {"kind": "relative_pos", **pose}))
        elif rest.endswith("_quat"):
            found.append((name, {"kind": "relative_quat_xyzw", **pose}))
    return found


class ReadingCheck:
    """Keeps the candidates that agree with all observations so far."""

    def __init__(self, env: Any) -> None:
        self._env = env
        self._names = list(env.observation_spec())
        self._left: dict[str, list[Reading]] = {name: [] for name in self._names}
        for name, reading in [*candidates(env), *differences(self._names), *relative_poses(self._names)]:
            if name in self._left:
                self._left[name].append(reading)

    def compare(self, observation: Mapping[str, Any]) -> None:
        known = {name: np.asarray(value, dtype=np.float64).ravel() for name, value in observation.items()}
        for name, readings in self._left.items():
            self._left[name] = [reading for reading in readings if _agrees(self._env, reading, known, known[name])]

    def readings(self) -> dict[str, Reading]:
        """By name: the first candidate left, and for the rest a concatenation of others."""
        chosen = {name: readings[0] for name, readings in self._left.items() if readings}
        for name in self._names:
            if name in chosen or not name.endswith("-state"):
                continue
            modality = name[: -len("-state")]
            parts = [key for key, observable in self._env._observables.items() if observable.modality == modality]
            if all(part in chosen for part in parts):
                chosen[name] = {"kind": "concat", "of": parts}
        return chosen

    def missing(self) -> list[str]:
        chosen = self.readings()
        return [name for name in self._names if name not in chosen]


def _agrees(env: Any, reading: Reading, known: Mapping[str, Any], expected: Any) -> bool:
    value = _KINDS[reading["kind"]](env, reading, known)
    return value is not None and value.shape == expected.shape and bool(np.all(np.abs(value - expected) <= _TOLERANCE))


def _joint(env: Any, reading: Reading, address: str, array: str) -> Any:
    at = [getattr(env.sim.model, address)(joint) for joint in reading["joints"]]
    if any(isinstance(one, tuple) for one in at):
        return None
    return np.array(getattr(env.sim.data, array)[at], dtype=np.float64)


def _qpos(env: Any, reading: Reading) -> Any:
    return _joint(env, reading, "get_joint_qpos_addr", "qpos")


def _matrix_quat(matrix: Any) -> Any:
    from robosuite.utils.transform_utils import mat2quat

    return np.asarray(mat2quat(matrix.reshape(3, 3)))


def _difference(one: Any, other: Any) -> Any:
    return one - other if one.shape == other.shape else None


def _relative(reading: Reading, known: Mapping[str, Any], wants: int) -> Any:
    import robosuite.utils.transform_utils as transforms

    if any(name not in known for name in [*reading["object"], *reading["frame"]]):
        return None
    thing = transforms.pose2mat((known[reading["object"][0]], known[reading["object"][1]]))
    frame = transforms.pose_inv(transforms.pose2mat((known[reading["frame"][0]], known[reading["frame"][1]])))
    return np.asarray(transforms.mat2pose(transforms.pose_in_A_to_pose_in_B(thing, frame))[wants])


_KINDS: Mapping[str, Callable[[Any, Reading, Mapping[str, Any]], Any]] = {
    "qpos": lambda env, reading, _: _qpos(env, reading),
    "cos_qpos": lambda env, reading, _: np.cos(_qpos(env, reading)),
    "sin_qpos": lambda env, reading, _: np.sin(_qpos(env, reading)),
    "qvel": lambda env, reading, _: _joint(env, reading, "get_joint_qvel_addr", "qvel"),
    "qacc": lambda env, reading, _: _joint(env, reading, "get_joint_qvel_addr", "qacc"),
    "site_pos": lambda env, reading, _: np.array(env.sim.data.get_site_xpos(reading["site"])),
    "site_quat_xyzw": lambda env, reading, _: _matrix_quat(env.sim.data.get_site_xmat(reading["site"])),
    "body_pos": lambda env, reading, _: np.array(env.sim.data.get_body_xpos(reading["body"])),
    "body_quat_xyzw": lambda env, reading, _: np.array(env.sim.data.get_body_xquat(reading["body"]))[[1, 2, 3, 0]],
    "difference": lambda _, reading, known: _difference(known[reading["of"][0]], known[reading["of"][1]]),
    "relative_pos": lambda _, reading, known: _relative(reading, known, 0),
    "relative_quat_xyzw": lambda _, reading, known: _relative(reading, known, 1),
}


def _bodies_of(env: Any, name: str) -> list[str]:
    wanted = name.lower()
    return sorted((body for body in env.sim.model.body_names if wanted in str(body).lower()), key=len)


def _sites_of(env: Any, name: str) -> list[str]:
    wanted = name.lower()
    return sorted((site for site in env.sim.model.site_names if wanted in str(site).lower()), key=len)
