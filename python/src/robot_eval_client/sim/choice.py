"""Selects the environment of an episode."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from typing import Any, cast

from .errors import EpisodeError

#: Gets the task ``{"name", "type", "config", "env"}`` and returns a Gymnasium environment or a `SimAdapter`.
MakeEnv = Callable[[dict[str, Any]], object]

#: Keys of `env` that belong to the episode and do not require a new environment.
_EPISODE_KEYS = ("init_state",)


def chosen_task(task: Mapping[str, Any], episode: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The task with `env`, the description of the environment: the episode's, else the task's, else empty.

    A string is the environment's name.
    """
    episode = episode or {}
    for holder in (episode.get("task_config"), episode.get("info"), task.get("config")):
        if isinstance(holder, Mapping) and holder.get("env") is not None:
            return {**task, "env": _description(holder["env"])}
    return {**task, "env": {}}


def key_of(task: Mapping[str, Any]) -> str:
    """Equal for tasks that can share an environment."""
    env = {name: value for name, value in task["env"].items() if name not in _EPISODE_KEYS}
    return json.dumps(env, sort_keys=True, default=str)


def name_and_arguments(task: Mapping[str, Any], default: str | None, adapter: str) -> tuple[str, dict[str, Any]]:
    """Splits `env: {name: Lift, robots: Panda}` into name and arguments; `id` is an alias of `name`."""
    arguments = dict(task["env"])
    named = [arguments.pop(key) for key in ("name", "id") if key in arguments]
    name = named[0] if named else default
    if not isinstance(name, str) or not name:
        raise EpisodeError(
            f"no environment is named for {adapter}: set `env: {{name: ...}}` in the task, or start the simulator with --env"
        )
    return name, arguments


def with_task_argument(make: Callable[..., object]) -> MakeEnv:
    """Accepts functions without arguments too, such as ``lambda: gymnasium.make(...)``."""
    try:
        inspect.signature(make).bind({})
    except TypeError:
        return lambda _task: make()
    except ValueError:
        # Built-in functions have no signature.
        pass
    return cast("MakeEnv", make)


def _description(env: object) -> dict[str, Any]:
    if isinstance(env, str):
        return {"name": env}
    if isinstance(env, Mapping) and all(isinstance(key, str) for key in env):
        return dict(env)
    raise EpisodeError(f"env is {env!r}; it must be a name, or an object such as {{name: Lift, robots: Panda}}")
