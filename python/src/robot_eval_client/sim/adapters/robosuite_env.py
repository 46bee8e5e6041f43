"""Environments of robosuite. Tested without a GPU: robosuite 1.5.2, MuJoCo 3.3, Lift, Stack, PickPlaceCan and Door.

The results are bit-identical to this loop::

    env = robosuite.make(name, seed=seed, hard_reset=False, **arguments)
    observation = env.reset()

A new environment is created for each episode, so that no state is carried over. `hard_reset=False` keeps robosuite from
compiling the model a second time for the first reset.
"""

from __future__ import annotations

import difflib
import importlib
import random
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...episode import Episode
from ..adapter import Frame
from ..choice import name_and_arguments
from ..errors import EpisodeError
from .robosuite_view import PICTURES, RobosuiteFamilyAdapter, RobosuiteView, sensor_of


def robosuite_env(default: str | None = None) -> Callable[[dict[str, Any]], RobosuiteAdapter]:
    """For `serve_env`: creates `env: {name: Lift, robots: Panda, ...}`; other keys are keywords of `robosuite.make`."""

    def make(task: dict[str, Any]) -> RobosuiteAdapter:
        name, arguments = name_and_arguments(task, default, "robosuite")
        return RobosuiteAdapter(name, arguments)

    return make


class RobosuiteAdapter(RobosuiteFamilyAdapter):
    """`arguments` are those of `robosuite.make`, and `controller`, such as OSC_POSE, JOINT_POSITION or BASIC."""

    def __init__(self, name: str, arguments: Mapping[str, Any]) -> None:
        self._suite = importlib.import_module("robosuite")
        if name not in self._suite.ALL_ENVIRONMENTS:
            known = sorted(self._suite.ALL_ENVIRONMENTS)
            near = difflib.get_close_matches(name, known, n=3) or known
            raise EpisodeError(f"robosuite has no environment {name!r}; use one of {', '.join(near)}")
        if "seed" in arguments:
            raise EpisodeError("env.seed is not allowed; each episode has its own seed")
        self._name = name
        self._arguments = dict(arguments)

    def capabilities(self) -> dict[str, Any]:
        env = self._env or self._warm()
        low, high = env.action_spec
        observation = env.observation_spec()
        return {
            "simulator": {"name": "robosuite", "version": self._suite.__version__, "env": self._name},
            "families": ["manipulation"],
            "sensors": {name: sensor_of(name, value) for name, value in observation.items() if self.wants(name)},
            "action_space": {"type": "continuous", "low": low.tolist(), "high": high.tolist()},
            "deterministic": True,
            "control_hz": float(env.control_freq),
            "max_steps": int(env.horizon),
            "units": {"length": "m", "angle": "rad", "time": "s"},
            "conventions": {
                "quaternion_order": "xyzw",
                "image_layout": "hwc",
                "image_origin": "top_left",
                "color_order": "rgb",
                "depth_unit": "m",
                "up_axis": "z",
            },
            "state_hash": True,
            "geometry": "mjcf",
        }

    def reset(self, episode: Episode, seed: int, task: Mapping[str, Any]) -> Frame:
        env = self._fresh(seed)
        observation = env.reset()
        self._view = RobosuiteView(env)
        return self.frame(observation, 0.0, False)

    def _fresh(self, seed: int) -> Any:
        self.close()
        # Sensor noise, if enabled, is drawn from NumPy's global generator.
        np.random.seed(seed)
        random.seed(seed)
        try:
            self._env = self._suite.make(self._name, seed=seed, **self._make_arguments())
        except (TypeError, KeyError, AssertionError) as error:
            raise EpisodeError(f"robosuite cannot create {self._name} with {self._arguments}: {error!r}") from error
        return self._env

    def _warm(self) -> Any:
        """Runs one step before the first episode: robosuite compiles its controllers then, for up to half a minute."""
        env = self._fresh(0)
        env.reset()
        env.step(np.zeros(env.action_dim))
        return env

    def _make_arguments(self) -> dict[str, Any]:
        arguments: dict[str, Any] = {"robots": "Panda", "hard_reset": False, "has_renderer": False, **self._arguments}
        cameras = arguments.get("camera_names") or self._wanted_cameras()
        if cameras:
            arguments |= {"camera_names": cameras, "use_camera_obs": True, "has_offscreen_renderer": True}
            if any(name.endswith("_depth") for name in self.wanted or ()):
                arguments.setdefault("camera_depths", True)
        else:
            arguments |= {"use_camera_obs": False, "has_offscreen_renderer": False}
        controller = arguments.pop("controller", None)
        if controller is not None:
            arguments["controller_configs"] = _controller(controller, arguments["robots"])
        return arguments

    def _wanted_cameras(self) -> list[str]:
        """Cameras that are requested by name. Requesting all sensors does not include cameras, which cost rendering."""
        cameras = {name[: -len(end)] for name in self.wanted or () for end in PICTURES if name.endswith(end)}
        return sorted(cameras)

    def frame(self, observation: Mapping[str, Any], reward: float, done: bool) -> Frame:
        assert self._view is not None
        readings = {name: _reading(name, value) for name, value in observation.items() if self.wants(name)}
        return Frame(readings, self._view.state(reward), bool(done), float(self._env.cur_time))


def _reading(name: str, value: Any) -> Any:
    if not name.endswith(PICTURES):
        return value
    # robosuite's images have the bottom row first, as in OpenGL; flip them.
    return np.ascontiguousarray(value[::-1])


def _controller(name: str, robots: Any) -> Any:
    """A composite controller by name, or an arm controller within the robot's default composite."""
    controllers = importlib.import_module("robosuite.controllers")
    robot = robots[0] if isinstance(robots, (list, tuple)) else robots
    if name in controllers.ALL_COMPOSITE_CONTROLLERS:
        return controllers.load_composite_controller_config(controller=name, robot=robot)
    try:
        part = controllers.load_part_controller_config(default_controller=name)
    except (AssertionError, FileNotFoundError, KeyError) as error:
        raise EpisodeError(f"robosuite has no controller {name!r}: {error}") from error
    config = controllers.load_composite_controller_config(robot=robot)
    for arm in ("right", "left"):
        if arm in config["body_parts"]:
            gripper = config["body_parts"][arm].get("gripper", {"type": "GRIP"})
            config["body_parts"][arm] = {**part, "gripper": gripper}
    return config
