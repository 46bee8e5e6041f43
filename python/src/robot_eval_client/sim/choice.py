"""Which world an episode is for."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from typing import Any, cast

from .errors import EpisodeError

#: Gets the task ``{"name", "type", "config", "env"}`` and returns a Gymnasium environment or a `SimAdapter`.
MakeEnv = Callable[[dict[str, Any]], object]

#: What `env` says of an episode, and not of the world that it is played in.
_OF_EPISODE = ("init_state",)


def chosen_task(task: Mapping[str, Any], episode: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The task with `env`, the description of the world: the episode's own first, then the task's, else empty.

    A bare string is the world's name.
    """
    episode = episode or {}
    for holder in (episode.get("task_config"), episode.get("info"), task.get("config")):
        if isinstance(holder, Mapping) and holder.get("env") is not None:
            return {**task, "env": _description(holder["env"])}
    return {**task, "env": {}}


def key_of(task: Mapping[str, Any]) -> str:
    """Equal for tasks that want the same world."""
    world = {name: value for name, value in task["env"].items() if name not in _OF_EPISODE}
    return json.dumps(world, sort_keys=True, default=str)


def name_and_arguments(task: Mapping[str, Any], default: str | None, adapter: str) -> tuple[str, dict[str, Any]]:
    """`env: {name: Lift, robots: Panda}` taken apart; `id` is another word for `name`."""
    arguments = dict(task["env"])
    named = [arguments.pop(key) for key in ("name", "id") if key in arguments]
    name = named[0] if named else default
    if not isinstance(name, str) or not name:
        raise EpisodeError(
            f"no world is named for {adapter}: give the task `env: {{name: ...}}`, or start the simulator with --env"
        )
    return name, arguments


def takes_task(make: Callable[..., object]) -> MakeEnv:
    """Lets ``lambda: gymnasium.make(...)`` do where nothing of the task is needed."""
    try:
        inspect.signature(make).bind({})
    except TypeError:
        return lambda _task: make()
    except ValueError:
        # Built-in functions do not say what they take.
        pass
    return cast("MakeEnv", make)


def _description(env: object) -> dict[str, Any]:
    if isinstance(env, str):
        return {"name": env}
    if isinstance(env, Mapping) and all(isinstance(key, str) for key in env):
        return dict(env)
    raise EpisodeError(f"env is {env!r}; it must be a name, or an object such as {{name: Lift, robots: Panda}}")
