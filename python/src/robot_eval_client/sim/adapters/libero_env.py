"""Tasks of LIBERO, with the conventions of its papers and of the policies trained on it.

Tested with LIBERO's repository and robosuite 1.4.1 on libero_spatial, with replacements for a few meshes and textures
that were not available. States, success and both cameras' images of its ten tasks are bit-identical to a plain loop;
success rates were not compared with published ones.

Conventions that change results without an error if they differ:

- the task's 50 fixed initial states are selected by `init_state` in the episode's `env` or `task_config`, else by the
  seed;
- LIBERO's random generator is seeded with 0 before each reset, as is usual: it places what the state does not include;
- each episode has a new environment: with an open drawer, LIBERO draws more random numbers at each reset, and the
  physics depends on where objects were before the initial state was set;
- 10 steps with the no-op action [0, 0, 0, 0, 0, 0, -1] precede the episode, so that objects come to rest;
- `task_description` is the sentence in the task's file name, which policies receive, not the one in the file;
- images are rotated by 180 degrees, as OpenVLA, openpi and others expect;
- OSC_POSE at 20 Hz: metres and radians relative to the hand, scaled to one; gripper -1 opens, 1 closes.
"""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...episode import Episode
from ..adapter import Frame
from ..choice import name_and_arguments
from ..errors import EpisodeError
from .libero_files import initial_states, libero_root, sentence, write_default_config, task_name
from .robosuite_view import PICTURES, RobosuiteFamilyAdapter, RobosuiteView, sensor_of

SETTLE_STEPS = 10
NO_OP = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0)
_MAX_PLACEMENTS = 50
CAMERAS = ("agentview", "robot0_eye_in_hand")
#: The sensor with the task's instruction.
DESCRIPTION = "task_description"


def libero_env(default: str | None = None) -> Callable[[dict[str, Any]], LiberoAdapter]:
    """For `serve_env`: `env: {name: libero_spatial, task_id: 0}`; the rest are keywords of LIBERO's environment.

    `task` is an alias of `task_id`, and either may be the task's name.
    """

    def make(task: dict[str, Any]) -> LiberoAdapter:
        suite, arguments = name_and_arguments(task, default, "libero")
        arguments.pop("init_state", None)
        named = [arguments.pop(key) for key in ("task_id", "task") if key in arguments]
        return LiberoAdapter(suite, named[0] if named else 0, arguments)

    return make


class LiberoAdapter(RobosuiteFamilyAdapter):
    def __init__(self, suite: str, task: object, arguments: Mapping[str, Any]) -> None:
        root = libero_root()
        write_default_config(root)
        self._suite = suite
        self._task = task_name(root, suite, task)
        self._states = initial_states(root, suite, self._task)
        self._arguments = {"bddl_file_name": str(root / "bddl_files" / suite / f"{self._task}.bddl"), **arguments}
        self._start_s = 0.0

    def capabilities(self) -> dict[str, Any]:
        env = self._made()
        if self._view is None:
            # robosuite compiles its controllers at the first step, which takes up to half a minute.
            reset_env(env)
            env.step(list(NO_OP))
        low, high = env.env.action_spec
        sensors = {name: sensor_of(name, value) for name, value in env.env.observation_spec().items()}
        sensors[DESCRIPTION] = {"shape": [], "dtype": "str", "kind": "text"}
        return {
            "simulator": {"name": "libero", "version": "1", "env": f"{self._suite}/{self._task}"},
            "families": ["manipulation"],
            "sensors": {name: sensor for name, sensor in sensors.items() if self.wants(name)},
            "action_space": {"type": "continuous", "low": low.tolist(), "high": high.tolist()},
            "deterministic": True,
            "control_hz": float(env.env.control_freq),
            "max_steps": int(env.env.horizon) - SETTLE_STEPS,
            "units": {"length": "m", "angle": "rad", "time": "s"},
            "conventions": {
                "quaternion_order": "xyzw",
                "image_layout": "hwc",
                "image_origin": "top_left",
                "image_rotation_deg": 180,
                "color_order": "rgb",
                "gripper_open": -1.0,
                "gripper_closed": 1.0,
                "settle_steps": SETTLE_STEPS,
                "init_states": len(self._states),
            },
            "state_hash": True,
            "geometry": "mjcf",
        }

    def reset(self, episode: Episode, seed: int, task: Mapping[str, Any]) -> Frame:
        index = self._index(episode, seed, task)
        self.close()
        env = self._made()
        np.random.seed(0)
        random.seed(0)
        env.seed(0)
        reset_env(env)
        if len(self._states[index]) != len(env.get_sim_state()):
            raise EpisodeError(
                f"initial state {index} of {self._task} does not match the model; check the version of LIBERO"
            )
        observation = env.set_init_state(self._states[index])
        for _ in range(SETTLE_STEPS):
            observation, _, _, _ = env.step(list(NO_OP))
        self._view = RobosuiteView(env.env)
        self._start_s = float(env.sim.data.time)
        return self.frame(observation, 0.0, False, {"init_state": index})

    def _index(self, episode: Episode, seed: int, task: Mapping[str, Any]) -> int:
        for holder in (task.get("env"), episode.get("task_config"), episode.get("start_state"), episode.get("info")):
            index = holder.get("init_state") if isinstance(holder, Mapping) else None
            if index is not None:
                if isinstance(index, int) and 0 <= index < len(self._states):
                    return index
                raise EpisodeError(f"init_state is {index!r}; {self._task} has 0 to {len(self._states) - 1}")
        return seed % len(self._states)

    def _made(self) -> Any:
        if self._env is None:
            wrapper = importlib.import_module("libero.libero.envs.env_wrapper")
            sees = self.wanted is None or any(name.endswith(PICTURES) for name in self.wanted)
            chosen = {"camera_names": list(CAMERAS), "camera_heights": 256, "camera_widths": 256, **self._arguments}
            self._env = wrapper.ControlEnv(**chosen, use_camera_obs=sees, has_offscreen_renderer=sees)
        return self._env

    def frame(self, observation: Mapping[str, Any], reward: float, done: bool, info: Any = None) -> Frame:
        assert self._view is not None
        readings = {name: _reading(name, value) for name, value in observation.items() if self.wants(name)}
        if self.wants(DESCRIPTION):
            readings[DESCRIPTION] = sentence(self._task)
        time_s = float(self._env.sim.data.time) - self._start_s
        return Frame(readings, self._view.state(reward), bool(done), time_s, info)


def reset_env(env: Any) -> None:
    """Resets without LIBERO's wrapper, which retries forever after any error. Retries failed placements only."""
    placing = importlib.import_module("robosuite.utils.errors").RandomizationError
    for _ in range(_MAX_PLACEMENTS):
        try:
            env.env.reset()
            return
        except placing:
            pass
    raise EpisodeError(f"LIBERO failed to place its objects in {_MAX_PLACEMENTS} attempts")


def _reading(name: str, value: Any) -> Any:
    return np.ascontiguousarray(value[::-1, ::-1]) if name.endswith(PICTURES) else value
