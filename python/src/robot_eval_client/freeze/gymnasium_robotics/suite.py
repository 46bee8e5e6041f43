"""FetchReach, FetchPush, FetchSlide and FetchPickAndPlace of Gymnasium-Robotics 1.4."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .. import FreezeError
from ..mocap.original import MocapOriginal
from ..model_text import licence_of, versions
from ..original import FreezeOptions, Observation, Original, Policy, Reading, Suite
from ..shims import compare_enumerations_as_integers
from .scripts import script_of

INSTRUCTIONS = {
    "FetchReach-v4": "move the gripper to the goal",
    "FetchPush-v4": "push the block to the goal",
    "FetchSlide-v4": "hit the puck so that it slides to the goal",
    "FetchPickAndPlace-v4": "bring the block to the goal",
}
_FINGERS = ("robot0:r_gripper_finger_joint", "robot0:l_gripper_finger_joint")
_ARM = ("torso_lift", "shoulder_pan", "shoulder_lift", "upperarm_roll", "elbow_flex", "forearm_roll", "wrist_flex", "wrist_roll")
#: Where the goal is drawn.
_TARGET = "target0"
_SHOWN_GROUPS = [0, 1, 2]


class GymnasiumRoboticsSuite(Suite):
    packages = "gymnasium-robotics==1.4.2 'mujoco==3.14.*'"

    def worlds(self, environments: Sequence[str], options: FreezeOptions) -> Mapping[str, str]:
        for name in environments:
            if name not in INSTRUCTIONS:
                raise FreezeError(f"{name!r} cannot be frozen; use one of {', '.join(INSTRUCTIONS)}, or the bridge")
        return {name: name for name in environments}

    def open(self, environment: str, options: FreezeOptions) -> Original:
        return Fetch(environment, options.seed)


class Fetch(MocapOriginal):
    site = "robot0:grip"

    def __init__(self, name: str, seed: int) -> None:
        self._shims = compare_enumerations_as_integers(importlib.import_module("gymnasium_robotics.utils.mujoco_utils"))
        gymnasium = importlib.import_module("gymnasium")
        gymnasium.register_envs(importlib.import_module("gymnasium_robotics"))
        made = gymnasium.make(name)
        env = made.unwrapped
        super().__init__(env, Path(env.fullpath))
        self._name, self._horizon = name, int(made.spec.max_episode_steps)
        self._seed = seed
        self.instruction = INSTRUCTIONS[name]

    def reset(self, number: int) -> Observation:
        observation, _ = self._env.reset(seed=self._seed + number)
        # Rendering moves this site, too. It touches nothing.
        self.model.site(_TARGET).pos = self._env.goal - self.model.body_pos[int(self.model.site(_TARGET).bodyid[0])]
        return dict(observation)

    def step(self, action: Any) -> Observation:
        return dict(self._env.step(action)[0])

    def success(self) -> bool:
        return bool(self._env._is_success(self._env._get_obs()["achieved_goal"], self._env.goal))

    def rule(self) -> dict[str, Any]:
        thing = "object0" if self._env.has_object else self.site
        return {"near": {"object": thing, "target": self._env.goal.tolist(), "within_m": float(self._env.distance_threshold)}}

    def constants(self) -> Mapping[str, Any]:
        return {"desired_goal": self._env.goal}

    def point(self) -> Any:
        return np.array(self._env._get_obs()["achieved_goal"])

    def target(self) -> Any:
        return self._env.goal

    @property
    def goal_joints(self) -> Sequence[str | int]:
        return ["object0:joint"] if self._env.has_object else [f"robot0:{joint}_joint" for joint in _ARM]

    def script(self, rng: np.random.Generator) -> Policy:
        return script_of(self._name, rng)

    def description(self) -> dict[str, Any]:
        env, packages = self._env, versions("gymnasium-robotics", "gymnasium", "mujoco", "numpy")
        return {
            "suite": {"name": "gymnasium-robotics", "env": self._name, "versions": packages},
            "licences": [{"name": "gymnasium-robotics", "licence": licence_of("gymnasium-robotics"), "source": "https://pypi.org/project/gymnasium-robotics"}],
            "shims": self._shims,
            "engine": {"name": "mujoco", "version": packages["mujoco"]},
            "control": self._control(),
            "horizon": self._horizon,
            "robot": {
                "name": "Fetch",
                "joints": [f"robot0:{joint}_joint" for joint in _ARM],
                "gripper_joints": list(_FINGERS),
                "site": self.site,
                "hand": "robot0:gripper_link",
                "fingers": [["robot0:r_gripper_finger_link"], ["robot0:l_gripper_finger_link"]],
            },
            "objects": ["object0"] if env.has_object else [],
            "points": {self.site: "grip_pos"},
            "values": self.values(),
            "action": self._action(),
            "cameras": {
                "names": [self.model.camera(index).name for index in range(self.model.ncam)],
                **{"width": 480, "height": 480, "origin": "top_left", "geom_groups": _SHOWN_GROUPS, "site_groups": _SHOWN_GROUPS},
            },
            "conventions": {"image_origin": "top_left", "image_layout": "hwc", "color_order": "rgb"},
        }

    def _control(self) -> dict[str, Any]:
        env = self._env
        control = {"hz": float(round(1 / env.dt)), "timestep_s": float(self.model.opt.timestep), "substeps": int(env.n_substeps), "order": "once"}
        # `_step_callback` holds blocked fingers closed and updates the poses.
        return {**control, "completion": {"joints": dict.fromkeys(_FINGERS, 0.0)}} if env.block_gripper else control

    def _action(self) -> dict[str, Any]:
        hand = {
            **{"type": "MOCAP", "start": 0, "end": 3, "actuators": [], "body": "robot0:mocap", "from_body": "robot0:gripper_link"},
            "rotation": {"type": "added", "quat_wxyz": [1.0, 0.0, 1.0, 0.0]},
            **{"input_min": [-1.0] * 3, "input_max": [1.0] * 3, "output_min": [-0.05] * 3, "output_max": [0.05] * 3},
        }
        count = self.model.nu
        fingers = {
            **{"type": "DIRECT", "start": 3, "end": 4, "inputs": [0] * count, "input_min": [-1.0], "input_max": [1.0]},
            "actuators": [self.model.actuator(index).name for index in range(count)],
            "factors": [0.0 if self._env.block_gripper else 1.0] * count,
            "offsets": [self.model.joint(int(self.model.actuator_trnid[index, 0])).name for index in range(count)],
        }
        return {"low": [-1.0] * 4, "high": [1.0] * 4, "parts": [hand, fingers] if count else [hand]}

    def values(self) -> Mapping[str, Reading]:
        """Velocities are per control step: metres and radians times its duration."""
        per_step = float(self._env.dt)
        values: dict[str, Reading] = {
            "grip_pos": {"kind": "site_pos", "site": self.site},
            "gripper_state": {"kind": "qpos", "joints": list(_FINGERS)},
            "grip_vel": {"kind": "site_vel", "site": self.site},
            "grip_velp": {"kind": "scaled", "of": "grip_vel", "factor": per_step},
            "finger_vel": {"kind": "qvel", "joints": list(_FINGERS)},
            "gripper_vel": {"kind": "scaled", "of": "finger_vel", "factor": per_step},
        }
        if not self._env.has_object:
            return values
        return values | {
            "object_pos": {"kind": "site_pos", "site": "object0"},
            "object_rel_pos": {"kind": "difference", "of": ["object_pos", "grip_pos"]},
            "object_rot": {"kind": "site_euler", "site": "object0"},
            "object_vel": {"kind": "site_vel", "site": "object0"},
            "object_step": {"kind": "scaled", "of": "object_vel", "factor": per_step},
            "object_velp": {"kind": "difference", "of": ["object_step", "grip_velp"]},
            "object_turn": {"kind": "site_angular_vel", "site": "object0"},
            "object_velr": {"kind": "scaled", "of": "object_turn", "factor": per_step},
        }

    def readings(self) -> Sequence[tuple[str, Reading]]:
        has_object = self._env.has_object
        moving = ["object_rot", "object_velp", "object_velr"] if has_object else []
        places = ["object_pos", "object_rel_pos"] if has_object else []
        return [
            ("observation", {"kind": "concat", "of": ["grip_pos", *places, "gripper_state", *moving, "grip_velp", "gripper_vel"]}),
            ("achieved_goal", {"kind": "concat", "of": ["object_pos" if has_object else "grip_pos"]}),
            ("desired_goal", {"kind": "constant", "name": "desired_goal"}),
        ]


SUITE = GymnasiumRoboticsSuite()
