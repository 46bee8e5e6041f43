"""A task of robosuite 1.5."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..model_text import versions
from ..original import Boundary, Demonstration, FreezeOptions, Observation, Policy
from .control import action_of, arm_controller
from .demonstrations import read_demonstrations, resize_objects
from .environment import RobosuiteEnvironment, common_description, robosuite_licence
from .tasks import TASKS

ROBOT = "Panda"
CONTROLLER = "OSC_POSE"


class TaskOriginal(RobosuiteEnvironment):
    def __init__(self, environment: str, options: FreezeOptions, shims: list[str]) -> None:
        self._environment = environment
        self._robot_name = options.robot or ROBOT
        self._shims = shims
        self._task = TASKS[environment]
        self._seed = options.seed
        self._env = importlib.import_module("robosuite").make(
            environment,
            robots=self._robot_name,
            has_renderer=False,
            has_offscreen_renderer=False,
            use_camera_obs=False,
            ignore_done=True,
            **self._settings(options.controller or CONTROLLER),
        )
        self.instruction = self._task.instruction

    def _settings(self, controller: str) -> dict[str, Any]:
        """Arguments of the environment that differ between versions."""
        controllers = importlib.import_module("robosuite.controllers")
        config = controllers.load_composite_controller_config(robot=self._robot_name)
        if controller != CONTROLLER:
            part = controllers.load_part_controller_config(default_controller=controller)
            config["body_parts"]["right"] = {**part, "gripper": config["body_parts"]["right"]["gripper"]}
        return {"controller_configs": config, "seed": self._seed}

    def _draw_from(self, seed: int) -> None:
        """What a reset draws depends on the seed alone, not on the resets before."""
        self._env.rng.bit_generator.state = np.random.default_rng(seed).bit_generator.state

    def _arm(self) -> Any:
        """The controller of the arm."""
        return arm_controller(self._env)

    def _action(self) -> dict[str, Any]:
        return action_of(self._env)

    def _order(self) -> str:
        """With `lite_physics`, the controller runs between the halves of a step, otherwise after a full forward pass."""
        return "step1_step2" if self._env.lite_physics else "forward_step"

    def reset(self, number: int) -> Observation:
        self._draw_from(self._seed + number)
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

    def script(self, rng: np.random.Generator) -> Policy | None:
        if self._task.script is None or self._arm().name != CONTROLLER:
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
        # Updates what the controller has read, too.
        self._arm().update_initial_joints(self._rest(demonstration))
        # Their clocks start again, as they do in a reset.
        self._env._obs_cache = {}
        for observable in self._env._observables.values():
            observable.reset()
        observation: Observation = self._env._get_observations(force_update=True)
        return observation

    def _rest(self, demonstration: Demonstration) -> Any:
        """Positions to which the arm returns where the task leaves it free."""
        return demonstration.qpos[self._arm().qpos_index]

    def start(self) -> dict[str, Any]:
        controller = self._arm()
        return {
            "initial_joints": np.asarray(controller.initial_joint).tolist(),
            # robosuite computes it before the reset places the fingers, and uses it for the first physics step.
            "first_inertia": np.asarray(controller.mass_matrix).ravel().tolist(),
        }

    def description(self) -> dict[str, Any]:
        env = self._env
        return {
            "suite": {"name": "robosuite", "env": self._environment, "versions": versions("robosuite", "mujoco", "numpy")},
            "licences": [robosuite_licence()],
            "shims": self._shims,
            **common_description(env, self._robot_name, self._order()),
            "horizon": int(env.horizon),
            "objects": self._task.objects(env),
            "action": self._action(),
            "cameras": {
                "names": [str(name) for name in env.sim.model.camera_names],
                **{"width": 256, "height": 256, "origin": "top_left", "geom_groups": [1], "site_groups": []},
            },
            "conventions": {"quaternion_order": "xyzw", "image_origin": "top_left", "image_layout": "hwc", "color_order": "rgb"},
        }
