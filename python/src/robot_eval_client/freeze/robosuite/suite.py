"""Environments of robosuite 1.5 with one arm."""

from __future__ import annotations

import importlib
import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .. import FreezeError
from ..model_text import licence_of, versions
from ..original import Boundary, Demonstration, FreezeOptions, Observation, Original, Policy, Suite
from ..shims import apply_shims
from .control import action_of, arm_controller, check_controller
from .demonstrations import read_demonstrations, resize_objects
from .environment import RobosuiteEnvironment
from .tasks import TASKS
from .tasks.reach import hand_site

_ROBOT = "Panda"
_CONTROLLER = "OSC_POSE"


class RobosuiteSuite(Suite):
    packages = "robosuite==1.5.2 'mujoco==3.14.*'"

    def worlds(self, environments: Sequence[str], options: FreezeOptions) -> Mapping[str, str]:
        for name in environments:
            if name not in TASKS:
                raise FreezeError(f"the success rule of {name!r} is not known; use one of {', '.join(sorted(TASKS))}, or the bridge")
        check_controller(options.controller or _CONTROLLER)
        changes = [(options.robot, _ROBOT), (options.controller, _CONTROLLER)]
        suffix = "".join(f"-{value}" for value, default in changes if value not in (None, default))
        return {f"{name}{suffix}": name for name in environments}

    def open(self, environment: str, options: FreezeOptions) -> Original:
        shims = apply_shims()
        logging.getLogger("robosuite_logs").setLevel(logging.ERROR)
        return RobosuiteOriginal(environment, options, shims)


class RobosuiteOriginal(RobosuiteEnvironment):
    def __init__(self, environment: str, options: FreezeOptions, shims: list[str]) -> None:
        self._environment = environment
        self._robot_name = options.robot or _ROBOT
        self._shims = shims
        self._task = TASKS[environment]
        self._env = _make(environment, self._robot_name, options.controller or _CONTROLLER, options.seed)
        self.instruction = self._task.instruction

    def reset(self, _number: int) -> Observation:
        observation: Observation = self._env.reset()
        return observation

    def step(self, action: Any) -> Observation:
        observation: Observation = self._env.step(action)[0]
        return observation

    def close(self) -> None:
        self._env.close()

    def xml(self) -> str:
        return str(self._env.model.get_xml())

    def rule(self) -> dict[str, Any]:
        return self._task.rule(self._env)

    def hand_position(self) -> Any:
        return self.data.site_xpos[hand_site(self._env)]

    def script(self, rng: np.random.Generator) -> Policy | None:
        if self._task.script is None or arm_controller(self._env).name != "OSC_POSE":
            return None
        return self._task.script(self._env, rng)

    def boundaries(self) -> Sequence[Boundary]:
        return self._task.boundaries(self._env)

    def demonstrations(self, file: Path) -> Sequence[Demonstration]:
        return read_demonstrations(file, self._environment, int(self.model.nq), int(self.model.nv))

    def begin(self, demonstration: Demonstration) -> Observation:
        resize_objects(self.model, self.data, self._task.objects(self._env), demonstration.xml)
        self.data.qpos[:] = demonstration.qpos
        self.data.qvel[:] = demonstration.qvel
        controller = arm_controller(self._env)
        # Updates what the controller has read, too.
        controller.update_initial_joints(demonstration.qpos[controller.qpos_index])
        # Their clocks start again, as they do in a reset.
        self._env._obs_cache = {}
        for observable in self._env._observables.values():
            observable.reset()
        observation: Observation = self._env._get_observations(force_update=True)
        return observation

    def start(self) -> dict[str, Any]:
        controller = arm_controller(self._env)
        return {
            "initial_joints": np.asarray(controller.initial_joint).tolist(),
            # robosuite computes it before the reset places the fingers, and uses it for the first physics step.
            "first_inertia": np.asarray(controller.mass_matrix).ravel().tolist(),
        }

    def description(self) -> dict[str, Any]:
        env = self._env
        return {
            "suite": {"name": "robosuite", "env": self._environment, "versions": versions("robosuite", "mujoco", "numpy")},
            "licences": [{"name": "robosuite", "licence": licence_of("robosuite"), "source": "https://pypi.org/project/robosuite"}],
            "shims": self._shims,
            "engine": {"name": "mujoco", "version": versions("mujoco")["mujoco"]},
            "control": {
                "hz": float(env.control_freq),
                "timestep_s": float(env.model_timestep),
                "substeps": int(env.control_timestep / env.model_timestep),
                # With `lite_physics`, the controller runs between the halves of a step, otherwise after a full forward pass.
                "order": "step1_step2" if env.lite_physics else "forward_step",
            },
            "horizon": int(env.horizon),
            "robot": self._robot(),
            "objects": self._task.objects(env),
            "action": action_of(env),
            "cameras": {
                "names": [str(name) for name in env.sim.model.camera_names],
                **{"width": 256, "height": 256, "origin": "top_left", "geom_groups": [1], "site_groups": []},
            },
            "conventions": {"quaternion_order": "xyzw", "image_origin": "top_left", "image_layout": "hwc", "color_order": "rgb"},
        }

    def _robot(self) -> dict[str, Any]:
        robot = self._env.robots[0]
        arm = robot.arms[0]
        geoms = robot.gripper[arm].important_geoms
        return {
            "name": self._robot_name,
            "joints": list(robot.robot_joints),
            "gripper_joints": list(robot.gripper_joints[arm]),
            "site": self._env.sim.model.site_id2name(hand_site(self._env)),
            "hand": robot.robot_model.eef_name[arm],
            "fingers": [list(geoms["left_fingerpad"]), list(geoms["right_fingerpad"])],
        }


def _make(environment: str, robot: str, controller: str, seed: int) -> Any:
    suite = importlib.import_module("robosuite")
    controllers = importlib.import_module("robosuite.controllers")
    config = controllers.load_composite_controller_config(robot=robot)
    if controller != _CONTROLLER:
        part = controllers.load_part_controller_config(default_controller=controller)
        config["body_parts"]["right"] = {**part, "gripper": config["body_parts"]["right"]["gripper"]}
    np.random.seed(seed)
    return suite.make(
        environment,
        robots=robot,
        controller_configs=config,
        seed=seed,
        has_renderer=False,
        has_offscreen_renderer=False,
        use_camera_obs=False,
        ignore_done=True,
    )


SUITE = RobosuiteSuite()
