"""Readings that robosuite's observations may have."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..original import Observation, Reading
from ..readings import differences


def candidates(env: Any) -> list[tuple[str, Reading]]:
    model, robot = env.sim.model, env.robots[0]
    prefix = robot.robot_model.naming_prefix
    joints = list(robot.robot_joints)
    names = list(env.observation_spec())
    found: list[tuple[str, Reading]] = [
        (f"{prefix}joint_pos", {"kind": "qpos", "joints": joints}),
        (f"{prefix}joint_pos_cos", {"kind": "cos_qpos", "joints": joints}),
        (f"{prefix}joint_pos_sin", {"kind": "sin_qpos", "joints": joints}),
        (f"{prefix}joint_vel", {"kind": "qvel", "joints": joints}),
        (f"{prefix}joint_acc", {"kind": "qacc", "joints": joints}),
        (f"{prefix}eef_pos", {"kind": "site_pos", "site": model.site_id2name(hand_site(env))}),
        (f"{prefix}eef_quat", {"kind": "body_quat_xyzw", "body": of_arm(robot.robot_model.eef_name)}),
        (f"{prefix}eef_quat_site", {"kind": "site_quat_xyzw", "site": model.site_id2name(hand_site(env))}),
        (f"{prefix}gripper_qpos", {"kind": "qpos", "joints": list(of_arm(robot.gripper_joints))}),
        (f"{prefix}gripper_qvel", {"kind": "qvel", "joints": list(of_arm(robot.gripper_joints))}),
    ]
    for name in names:
        if name.startswith(prefix):
            continue
        thing, _, part = name.rpartition("_")
        if part == "pos":
            found += [(name, {"kind": "body_pos", "body": body}) for body in _containing(thing, model.body_names)]
            found += [(name, {"kind": "site_pos", "site": site}) for site in _containing(thing, model.site_names)]
        elif part == "quat":
            found += [(name, {"kind": "body_quat_xyzw", "body": body}) for body in _containing(thing, model.body_names)]
        elif part == "qpos":
            found += [(name, {"kind": "qpos", "joints": [joint]}) for joint in model.joint_names]
    return [*found, *differences(names), *relative_poses(names), *_states(env, names)]


def relative_poses(names: Sequence[str]) -> list[tuple[str, Reading]]:
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


def evaluators(env: Any) -> Mapping[str, Callable[[Reading, Observation], Any]]:
    """robosuite computes these in single precision."""
    transforms = importlib.import_module("robosuite.utils.transform_utils")

    def site_quat(reading: Reading, _: Observation) -> Any:
        return np.asarray(transforms.mat2quat(env.sim.data.get_site_xmat(reading["site"]).reshape(3, 3)))

    def relative(reading: Reading, known: Observation, part: int) -> Any:
        if any(name not in known for name in [*reading["object"], *reading["frame"]]):
            return None
        thing, frame = (transforms.pose2mat((known[pos], known[quat])) for pos, quat in (reading["object"], reading["frame"]))
        return np.asarray(transforms.mat2pose(transforms.pose_in_A_to_pose_in_B(thing, transforms.pose_inv(frame)))[part])

    return {
        "site_quat_xyzw": site_quat,
        "relative_pos": lambda reading, known: relative(reading, known, 0),
        "relative_quat_xyzw": lambda reading, known: relative(reading, known, 1),
    }


def hand_site(env: Any) -> int:
    return int(of_arm(env.robots[0].eef_site_id))


def of_arm(value: Any) -> Any:
    """The value of the only arm: robosuite 1.5 has one value per arm, 1.4 has the value itself."""
    return next(iter(value.values())) if isinstance(value, Mapping) else value


def _states(env: Any, names: Sequence[str]) -> list[tuple[str, Reading]]:
    """`robot0_proprio-state` and `object-state` consist of all observations of their modality."""
    states = [name for name in names if name.endswith("-state")]
    observed = [(key, one) for key, one in env._observables.items() if one.is_enabled() and one.is_active()]
    return [
        (name, {"kind": "concat", "of": [key for key, observable in observed if f"{observable.modality}-state" == name]})
        for name in states
    ]


def _containing(name: str, elements: Sequence[str]) -> list[str]:
    wanted = name.lower()
    return sorted((element for element in elements if wanted in str(element).lower()), key=len)
