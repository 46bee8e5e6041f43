"""Policies for Fetch that usually succeed within its 50 control steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..original import Policy

#: Metres that the gripper moves in a control step with the action 1; the arm lags behind.
_STEP_M = 0.05
_GAIN = 6.0


def script_of(name: str, rng: np.random.Generator) -> Policy:
    """The policy for an environment, with noise so that some attempts fail."""
    act, noise = _SCRIPTS[name](), rng.choice([0.0, 0.1, 0.5])

    def noisy(observation: Mapping[str, Any], step: int) -> Any:
        action = act(observation, step)
        action[:3] += rng.normal(0, noise, 3)
        return np.clip(action, -1, 1)

    return noisy


def _towards(observation: Mapping[str, Any], target: Any, grip: float) -> Any:
    move = np.clip((target - observation["observation"][:3]) * _GAIN, -1, 1)
    return np.append(move, grip)


def _reach() -> Policy:
    return lambda observation, step: _towards(observation, observation["desired_goal"], 0.0)


def _pick() -> Policy:
    """Above the block, down, close, to the goal."""

    def act(observation: Mapping[str, Any], step: int) -> Any:
        block = observation["achieved_goal"]
        if step < 10:
            return _towards(observation, block + (0, 0, 0.08), 1.0)
        if step < 18:
            return _towards(observation, block, 1.0)
        if step < 23:
            return _towards(observation, block, -1.0)
        return _towards(observation, observation["desired_goal"], -1.0)

    return act


def _behind(observation: Mapping[str, Any], distance_m: float) -> Any:
    """A point on the far side of the object, seen from the goal."""
    thing, goal = observation["achieved_goal"], observation["desired_goal"]
    way = (goal - thing)[:2]
    direction = way / max(np.linalg.norm(way), 1e-6)
    return thing - np.append(direction * distance_m, 0)


def _push() -> Policy:
    """Above and behind the block, down, then through it to the goal."""

    def act(observation: Mapping[str, Any], step: int) -> Any:
        thing, goal = observation["achieved_goal"], observation["desired_goal"]
        if step < 12:
            return _towards(observation, _behind(observation, 0.09) + (0, 0, 0.08), 0.0)
        if step < 18:
            return _towards(observation, _behind(observation, 0.09), 0.0)
        if np.linalg.norm(goal - thing) < 0.03:
            return np.zeros(4)
        return _towards(observation, _behind(observation, 0.02), 0.0)

    return act


def _slide() -> Policy:
    """As `_push`, but it stops after a run whose length depends on how far the puck has to slide."""
    start: Any = None

    def act(observation: Mapping[str, Any], step: int) -> Any:
        nonlocal start
        thing, goal = observation["achieved_goal"], observation["desired_goal"]
        if step < 10:
            start = None
            return _towards(observation, _behind(observation, 0.12) + (0, 0, 0.08), 0.0)
        if step < 16:
            return _towards(observation, _behind(observation, 0.12), 0.0)
        if start is None:
            start = (thing.copy(), (goal - thing)[:2])
        origin, way = start
        distance = np.linalg.norm(way)
        if np.linalg.norm((thing - origin)[:2]) > 0.05:
            return np.zeros(4)
        speed = np.clip(1.3 * distance, 0.2, 1.0)
        return np.append(way / distance * speed, (0, 0))

    return act


_SCRIPTS: dict[str, Callable[[], Policy]] = {
    "FetchReach-v4": _reach,
    "FetchPush-v4": _push,
    "FetchSlide-v4": _slide,
    "FetchPickAndPlace-v4": _pick,
}
