"""Episodes of Habitat-Lab. Checked against the sources of habitat-lab and habitat-sim v0.3.4, but not tested.

Both releases report their version as 0.3.3.

`env: {name: <configuration YAML>, overrides: [...]}` creates a `habitat.Env`. The evaluator's `episode_id`, and its
scene if it names one, select an episode of Habitat's dataset. Only tasks whose actions have no arguments are
supported: navigation by steps and turns. In Habitat's frame y is up and -z forward; rotations are recorded as wxyz.
Depth is as configured: from 0 to 1 unless `normalize_depth: False`. `max_episode_seconds` of the configuration is
wall-clock time and applies here too.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...episode import Episode
from ..adapter import Frame, SimAdapter
from ..choice import name_and_arguments
from ..errors import EpisodeError
from ..spaces import readings_of, sensors_of
from ..values import hash_of

# Habitat's datasets replace this prefix of a scene id by the configuration's `scenes_dir`.
_SCENES = "data/scene_datasets/"


def habitat_env(default: str | None = None) -> Callable[[dict[str, Any]], HabitatAdapter]:
    """For `serve_env`."""

    def make(task: dict[str, Any]) -> HabitatAdapter:
        path, arguments = name_and_arguments(task, default, "habitat")
        overrides = [str(override) for override in arguments.pop("overrides", [])]
        if arguments:
            raise EpisodeError(f"env has {', '.join(arguments)}; Habitat's env has only `name` and `overrides`")
        return HabitatAdapter(path, overrides)

    return make


class HabitatAdapter(SimAdapter):
    def __init__(self, path: str, overrides: list[str]) -> None:
        habitat = importlib.import_module("habitat")
        self._version = str(habitat.__version__)
        self._path = path
        try:
            config = habitat.get_config(path, overrides)
        except Exception as error:
            # A missing file raises a RuntimeError, a wrong override one of several errors of Hydra.
            raise EpisodeError(f"Habitat cannot read {path} with {overrides}: {error}") from error
        try:
            self._env = habitat.Env(config=config)
        except FileNotFoundError as error:
            raise EpisodeError(f"Habitat lacks files for {path}: {error}") from error
        try:
            self._actions = self._names_of_actions()
            self._success = self._name_of_success()
        except EpisodeError:
            self._env.close()
            raise
        self._sensors = sensors_of(self._env.observation_space)
        if "instruction" in self._env.task.sensor_suite.sensors:
            # Its space is an empty Dict, but its readings are not empty.
            self._sensors["instruction.text"] = {"shape": [], "dtype": "str", "kind": "text"}
        self._episodes: dict[str, list[Any]] = {}
        for episode in self._env.episodes:
            self._episodes.setdefault(str(episode.episode_id), []).append(episode)

    def capabilities(self) -> dict[str, Any]:
        conventions = {"quaternion_order": "wxyz", "image_layout": "hwc", "color_order": "rgb", "up_axis": "y"}
        cameras = self._env.sim.sensor_suite.sensors.values()
        if not any(getattr(camera, "normalize_depth", False) for camera in cameras):
            conventions["depth_unit"] = "m"
        capabilities: dict[str, Any] = {
            "simulator": {"name": "habitat", "version": self._version, "env": self._path},
            "families": ["navigation"],
            "sensors": {name: sensor for name, sensor in self._sensors.items() if self.wants(name)},
            "action_space": {"type": "discrete", "actions": self._actions},
            # Rendering may differ between graphics cards; the robot's pose does not.
            "deterministic": True,
            "units": {"length": "m", "angle": "rad", "time": "s"},
            "conventions": conventions,
            "state_hash": True,
        }
        # 0 means no limit.
        most = int(self._env._max_episode_steps)
        return capabilities | ({"max_steps": most} if most > 0 else {})

    def reset(self, episode: Episode, seed: int, task: Mapping[str, Any]) -> Frame:
        self._env.current_episode = self._find(episode)
        seed %= 2**32
        # Seeds Python, NumPy, Numba and the simulator.
        self._env.seed(seed)
        observation = self._env.reset()
        # Loading a new scene has reset the simulator's seed to the configuration's.
        self._env.seed(seed)
        return self._frame(observation)

    def step(self, action: str) -> Frame:
        return self._frame(self._env.step({"action": action, "action_args": {}}))

    def close(self) -> None:
        self._env.close()

    def _names_of_actions(self) -> list[str]:
        actions = self._env.task.actions
        argued = [name for name, action in actions.items() if type(action.action_space).__name__ != "EmptySpace"]
        if argued:
            raise EpisodeError(f"{self._path} has actions with arguments ({', '.join(argued)}), which are not supported")
        return list(actions)

    def _name_of_success(self) -> str:
        """`success` for navigation, else the task's `success_measure`, where any non-zero value is success."""
        measures = self._env.task.measurements.measures
        for name in ("success", self._env.task._config.get("success_measure")):
            if name in measures:
                return str(name)
        raise EpisodeError(f"{self._path} measures {', '.join(measures) or 'nothing'}, but no success")

    def _find(self, wanted: Episode) -> Any:
        found = [
            episode
            for episode in self._episodes.get(wanted.episode_id, [])
            if same_scene(wanted.scene_id, str(episode.scene_id))
        ]
        if len(found) == 1:
            return found[0]
        many = f"{len(found)} episodes" if found else "no episode"
        raise EpisodeError(f"Habitat's dataset has {many} {wanted.episode_id!r} in scene {wanted.scene_id!r}")

    def _frame(self, observation: Any) -> Frame:
        agent = self._env.sim.get_agent_state()
        turn = agent.rotation
        position = np.asarray(agent.position, dtype=np.float64)
        rotation = np.array([turn.w, turn.x, turn.y, turn.z], dtype=np.float64)
        metrics = self._env.get_metrics()
        state: dict[str, Any] = {
            "success": bool(metrics[self._success]),
            "position": position,
            "rotation_wxyz": rotation,
            # Without maps, and without infinite distances to unreachable goals.
            "metrics": {
                name: float(value)
                for name, value in metrics.items()
                if isinstance(value, (bool, int, float, np.number, np.bool_)) and math.isfinite(value)
            },
            "state_hash": hash_of(position, rotation),
        }
        readings = {
            name: value
            for name, value in readings_of(dict(observation)).items()
            if name in self._sensors and self.wants(name)
        }
        return Frame(readings, state, bool(self._env.episode_over))


def same_scene(wanted: str, scene: str) -> bool:
    """Whether the evaluator's scene id matches a scene file: its path below any `scenes_dir`, or its file name."""
    if not wanted or wanted == scene:
        return True
    below = wanted.removeprefix(_SCENES)
    file = scene.rsplit("/", 1)[-1]
    return scene.endswith(f"/{below}") or wanted in (file, file.split(".", 1)[0])
