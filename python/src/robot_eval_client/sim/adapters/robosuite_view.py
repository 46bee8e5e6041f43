"""Common code for robosuite 1.4 (used by LIBERO) and 1.5, which differ in attribute names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..adapter import Frame, SimAdapter
from ..geometry import geometry_of_xml
from ..mujoco_state import MujocoView

# Height above the table from which robosuite's Stack counts the cube as lifted.
_LIFTED_M = 0.04
# robosuite's collision geoms are in group 0, which must be hidden.
_VISIBLE_GROUPS = (1,)
#: Name suffixes of image sensors.
PICTURES = ("_image", "_depth")


class RobosuiteFamilyAdapter(SimAdapter):
    """Base class; subclasses create `_env` and `_view` in `reset`."""

    _env: Any = None
    _view: RobosuiteView | None = None

    def step(self, action: Any) -> Frame:
        observation, reward, done, _ = self._env.step(action)
        return self.frame(observation, reward, done)

    def frame(self, observation: Mapping[str, Any], reward: float, done: bool) -> Frame:
        raise NotImplementedError

    def geometry(self) -> Mapping[str, Any] | None:
        return None if self._view is None else self._view.geometry()

    def close(self) -> None:
        env, self._env, self._view = self._env, None, None
        if env is not None:
            env.close()


def sensor_of(name: str, value: Any) -> dict[str, Any]:
    array = np.asarray(value)
    kind = "rgb" if name.endswith("_image") else "depth" if name.endswith("_depth") else "state"
    return {"shape": list(array.shape), "dtype": array.dtype.name, "kind": kind}


class RobosuiteView:
    """Reads the state of one environment. Indices are looked up once, and are valid until the next hard reset."""

    def __init__(self, env: Any) -> None:
        self._env = env
        self._view = MujocoView(env.sim.model._model, env.sim.data._data)
        model, robot = env.sim.model, env.robots[0]
        self._site, self._hand = _hand_of(robot, model)
        self._fingers = np.array(_finger_indexes(robot), dtype=int)
        self._joints = np.array(robot._ref_joint_pos_indexes, dtype=int)
        self._speeds = np.array(robot._ref_joint_vel_indexes, dtype=int)
        self._objects = [(thing.name, model.body_name2id(thing.root_body)) for thing in env.model.mujoco_objects]
        self._lifted = _lifted_body(env)

    def state(self, reward: float) -> dict[str, Any]:
        env = self._env
        data = self._view.data
        success = bool(env._check_success())
        state: dict[str, Any] = {
            "success": success,
            "reward": float(reward),
            "ee_pos": data.site_xpos[self._site].tolist(),
            "ee_quat_wxyz": data.xquat[self._hand].tolist(),
            "qpos": data.qpos[self._joints],
            "qvel": data.qvel[self._speeds],
            "objects": {
                name: {"pos": data.xpos[body].tolist(), "quat_wxyz": data.xquat[body].tolist()}
                for name, body in self._objects
            },
            "sim_state": self._view.sim_state(),
            "state_hash": self._view.hash(),
        }
        if len(self._fingers):
            # Mean distance of the fingers from the centre: metres for parallel grippers, radians for hands.
            state["gripper"] = float(np.abs(data.qpos[self._fingers]).mean())
        subtasks = self._subtasks(success)
        if subtasks:
            state["subtasks"] = subtasks
        diverged = self._view.diverged()
        if diverged is not None:
            state["error"] = diverged
        return state

    def _subtasks(self, success: bool) -> dict[str, bool]:
        """The subtasks that robosuite tracks."""
        env = self._env
        if self._lifted is not None:
            height = self._view.data.xpos[self._lifted][2]
            return {"lifted": bool(height > env.table_offset[2] + _LIFTED_M), "stacked": success}
        for things, done in (("objects", "objects_in_bins"), ("nuts", "objects_on_pegs")):
            if hasattr(env, done):
                return {thing.name: bool(is_done) for thing, is_done in zip(getattr(env, things), getattr(env, done))}
        return {}

    def geometry(self) -> dict[str, Any]:
        xml = self._env.model.get_xml()
        # Walls would hide the scene.
        return geometry_of_xml(xml, model=self._view.model, groups=_VISIBLE_GROUPS, without="wall_")


def _hand_of(robot: Any, model: Any) -> tuple[int, int]:
    """The grip site and the hand body of the first arm."""
    site, hand = robot.eef_site_id, robot.robot_model.eef_name
    if isinstance(site, dict):
        arm = robot.arms[0]
        site, hand = site[arm], hand[arm]
    return int(site), int(model.body_name2id(hand))


def _finger_indexes(robot: Any) -> list[int]:
    indexes = robot._ref_gripper_joint_pos_indexes
    if isinstance(indexes, dict):
        indexes = indexes.get(robot.arms[0])
    return list(indexes or [])


def _lifted_body(env: Any) -> int | None:
    return int(env.cubeA_body_id) if type(env).__name__ == "Stack" else None
