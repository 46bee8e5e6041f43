"""Any Gymnasium environment. Tested with classic control of gymnasium 1.4 and Fetch of Gymnasium-Robotics 1.4.2.

The episode's seed is passed to ``env.reset(seed=...)``, which by Gymnasium's rules makes an episode independent of
earlier ones. For an environment that violates this, ``fresh=True`` creates a new one for each episode.
"""

from __future__ import annotations

import difflib
import importlib
import importlib.metadata
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...episode import Episode
from ..adapter import Frame, SimAdapter
from ..choice import name_and_arguments
from ..errors import EpisodeError, SimulatorError
from ..geometry import geometry_of_file
from ..mujoco_state import MujocoView
from ..spaces import ActionMap, readings_of, sensors_of
from ..success import Moment, Rule, success_rule

#: The sensor with the image of `env.render()`, if it is requested.
RENDER = "render"


def is_gymnasium(made: object) -> bool:
    """Whether an object has Gymnasium's interface. Does not import gymnasium."""
    return all(hasattr(made, name) for name in ("reset", "step", "action_space", "observation_space", "unwrapped"))


def gymnasium_env(
    default: str | None = None, success: Rule = "info", fresh: bool = False, imports: tuple[str, ...] = ()
) -> Callable[[dict[str, Any]], GymnasiumAdapter]:
    """For `serve_env`: creates the task's `env: {id: ..., ...}`; the other keys are keywords of `gymnasium.make`."""

    def make(task: dict[str, Any]) -> GymnasiumAdapter:
        gymnasium = importlib.import_module("gymnasium")
        for module in imports:
            importlib.import_module(module)
        name, arguments = name_and_arguments(task, default, "gymnasium")
        rule = arguments.pop("success", success)
        is_fresh = bool(arguments.pop("fresh", fresh))
        for module in arguments.pop("imports", ()):
            importlib.import_module(module)
        try:
            gymnasium.spec(name)
        except gymnasium.error.Error as error:
            near = difflib.get_close_matches(name, gymnasium.registry, n=3)
            hint = f"; similar names: {', '.join(near)}" if near else ""
            raise EpisodeError(f"gymnasium has no environment {name!r} ({error}){hint}") from error
        return GymnasiumAdapter(lambda: gymnasium.make(name, **arguments), success=rule, fresh=is_fresh)

    return make


class GymnasiumAdapter(SimAdapter):
    """`made` is the first environment if one exists already; `make` creates further ones for `fresh`."""

    def __init__(
        self, make: Callable[[], Any], made: Any = None, *, success: Rule = "info", fresh: bool = False
    ) -> None:
        self._make = make
        self._success = success_rule(success)
        self._fresh = fresh
        self._total = 0.0
        self._take(make() if made is None else made)

    def _take(self, env: Any) -> None:
        if hasattr(env, "num_envs") and hasattr(env, "single_action_space"):
            raise SimulatorError("vector environments are not supported; create a single environment")
        self._env = env
        self._actions = ActionMap(env)
        self._mujoco = MujocoView.of(env.unwrapped)
        self._is_used = False

    def capabilities(self) -> dict[str, Any]:
        env, spec = self._env, getattr(self._env, "spec", None)
        sensors = sensors_of(env.observation_space)
        if self._renders():
            # The size of the image is only known by rendering, which requires a reset.
            env.reset(seed=0)
            self._is_used = True
            sensors[RENDER] = {"shape": list(np.shape(env.render())), "dtype": "uint8", "kind": "rgb"}
        capabilities: dict[str, Any] = {
            "simulator": {"name": "gymnasium", "version": _version(), "env": _name(env)},
            "families": ["manipulation"],
            "sensors": sensors,
            "action_space": self._actions.description,
            "deterministic": not getattr(spec, "nondeterministic", False),
            "state_hash": self._mujoco is not None,
            "geometry": "mjcf" if self._geometry_file() else False,
            "conventions": {"quaternion_order": "wxyz", "image_origin": "top_left", "color_order": "rgb"},
        }
        most = getattr(spec, "max_episode_steps", None)
        if most:
            capabilities["max_steps"] = int(most)
        rate = env.metadata.get("render_fps")
        if rate:
            capabilities["control_hz"] = float(rate)
        return capabilities

    def reset(self, episode: Episode, seed: int, task: Mapping[str, Any]) -> Frame:
        if self._fresh and self._is_used:
            self._env.close()
            self._take(self._make())
        self._is_used = True
        config = episode.get("task_config")
        options = config.get("reset_options") if isinstance(config, Mapping) else None
        observation, info = self._env.reset(seed=seed, options=options)
        self._total = 0.0
        return self._frame(observation, 0.0, False, False, info)

    def step(self, action: Any) -> Frame:
        observation, reward, terminated, truncated, info = self._env.step(self._actions(action))
        self._total += float(reward)
        return self._frame(observation, float(reward), bool(terminated), bool(truncated), info)

    def geometry(self) -> Mapping[str, Any] | None:
        path = self._geometry_file()
        return None if path is None or self._mujoco is None else geometry_of_file(path, self._mujoco.model)

    def close(self) -> None:
        self._env.close()

    def _frame(self, observation: Any, reward: float, terminated: bool, truncated: bool, info: Any) -> Frame:
        readings = readings_of(observation)
        if self._renders():
            readings[RENDER] = np.asarray(self._env.render())
        if self.wanted is not None:
            readings = {name: value for name, value in readings.items() if name in self.wanted}
        success = self._success(Moment(reward, self._total, terminated, truncated, info))
        state: dict[str, Any] = {"success": success, "reward": reward}
        if terminated or truncated:
            state["ended_by"] = "terminated" if terminated else "truncated"
        state |= self._inner_state()
        time_s = None if self._mujoco is None else self._mujoco.time_s
        return Frame(readings, state, terminated or truncated, time_s)

    def _inner_state(self) -> dict[str, Any]:
        if self._mujoco is not None:
            return self._mujoco.state()
        # Classic control and similar environments have their whole state in one vector.
        inner = getattr(self._env.unwrapped, "state", None)
        if isinstance(inner, (np.ndarray, tuple, list)):
            try:
                return {"sim_state": np.array(inner, dtype=np.float64).reshape(-1)}
            except (TypeError, ValueError):
                pass
        return {}

    def _renders(self) -> bool:
        return getattr(self._env, "render_mode", None) == "rgb_array" and self.wants(RENDER)

    def _geometry_file(self) -> str | None:
        path = getattr(self._env.unwrapped, "fullpath", None)
        return path if isinstance(path, str) and self._mujoco is not None else None


def _name(env: Any) -> str:
    spec = getattr(env, "spec", None)
    return str(spec.id) if spec is not None else type(env.unwrapped).__name__


def _version() -> str:
    try:
        return importlib.metadata.version("gymnasium")
    except importlib.metadata.PackageNotFoundError:
        return "unknown"
