"""Episodes of Habitat-Lab. Written against its documented interface and not run here: habitat-sim is not on PyPI.

`env: {name: <configuration YAML>, overrides: [...]}` makes a `habitat.Env`; the episode that is played is the one of
Habitat's own dataset whose `episode_id` (and `scene_id`, where both have one) is the evaluator's. Habitat's frame has
y up, -z ahead and quaternions of habitat-sim's, which are recorded as wxyz.
"""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...episode import Episode
from ..adapter import Frame, SimAdapter
from ..choice import name_and_arguments
from ..errors import EpisodeError
from ..spaces import readings_of, sensors_of
from ..values import hash_of


def habitat_env(default: str | None = None) -> Callable[[dict[str, Any]], HabitatAdapter]:
    """For `serve_env`."""

    def make(task: dict[str, Any]) -> HabitatAdapter:
        path, arguments = name_and_arguments(task, default, "habitat")
        return HabitatAdapter(path, list(arguments.pop("overrides", [])))

    return make


class HabitatAdapter(SimAdapter):
    def __init__(self, path: str, overrides: list[str]) -> None:
        habitat = importlib.import_module("habitat")
        self._version = str(getattr(habitat, "__version__", "unknown"))
        self._path = path
        try:
            self._env = habitat.Env(config=habitat.get_config(path, overrides))
        except FileNotFoundError as error:
            raise EpisodeError(f"Habitat cannot read {path}: {error}") from error
        # In Habitat's order, which `step` counts in.
        self._actions = list(self._env.task.actions)

    def capabilities(self) -> dict[str, Any]:
        sensors = sensors_of(self._env.observation_space)
        return {
            "simulator": {"name": "habitat", "version": self._version, "env": self._path},
            "families": ["navigation"],
            "sensors": {name: sensor for name, sensor in sensors.items() if self.wants(name)},
            "action_space": {"type": "discrete", "actions": self._actions},
            # Rendering may differ between graphics cards; where the robot is does not.
            "deterministic": True,
            "max_steps": int(self._env._max_episode_steps),
            "units": {"length": "m", "angle": "rad", "time": "s"},
            "conventions": {"quaternion_order": "wxyz", "image_layout": "hwc", "depth_unit": "m", "up_axis": "y"},
            "state_hash": True,
        }

    def reset(self, episode: Episode, seed: int, task: Mapping[str, Any]) -> Frame:
        self._env.current_episode = self._find(episode)
        self._env.seed(seed)
        np.random.seed(seed)
        random.seed(seed)
        return self._frame(self._env.reset())

    def step(self, action: str) -> Frame:
        return self._frame(self._env.step({"action": action, "action_args": {}}))

    def close(self) -> None:
        self._env.close()

    def _find(self, wanted: Episode) -> Any:
        for episode in self._env.episodes:
            same_scene = not wanted.scene_id or wanted.scene_id in str(episode.scene_id)
            if str(episode.episode_id) == wanted.episode_id and same_scene:
                return episode
        raise EpisodeError(f"Habitat's dataset has no episode {wanted.episode_id!r} in scene {wanted.scene_id!r}")

    def _frame(self, observation: Any) -> Frame:
        agent = self._env.sim.get_agent_state()
        turn = agent.rotation
        position = np.asarray(agent.position, dtype=np.float64)
        rotation = np.array([turn.w, turn.x, turn.y, turn.z], dtype=np.float64)
        metrics = self._env.get_metrics()
        state: dict[str, Any] = {
            "success": bool(metrics.get("success", False)),
            "position": position,
            "rotation_wxyz": rotation,
            "metrics": {name: float(value) for name, value in metrics.items() if isinstance(value, (int, float))},
            "state_hash": hash_of(position, rotation),
        }
        readings = {name: value for name, value in readings_of(dict(observation)).items() if self.wants(name)}
        return Frame(readings, state, bool(self._env.episode_over))
