"""Rollouts of the original: actions, and the states and success that they led to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .original import Policy


def random_policy(low: Any, high: Any, rng: np.random.Generator) -> Policy:
    """Draws a target action every ten steps and goes there smoothly, so that the arm moves instead of trembling."""
    target, action = rng.uniform(low, high), np.zeros(len(low))

    def act(_observation: Mapping[str, Any], step: int) -> Any:
        nonlocal target, action
        if step % 10 == 0:
            target = rng.uniform(low, high)
        action = action + 0.3 * (target - action)
        return action.copy()

    return act


class Recording:
    """One rollout, as it is written."""

    def __init__(self, episode_id: str, source: str) -> None:
        self._document: dict[str, Any] = {
            "episode_id": episode_id,
            "source": source,
            "actions": [],
            "qpos": [],
            "ee_pos": [],
            "success": [],
            "observations": [],
        }

    def add(self, action: Any | None, qpos: Any, ee_pos: Any, success: bool, observation: Mapping[str, Any]) -> None:
        document = self._document
        if action is not None:
            document["actions"].append(np.asarray(action, dtype=np.float64).tolist())
        document["qpos"].append(np.array(qpos).tolist())
        document["ee_pos"].append(np.array(ee_pos).tolist())
        document["success"].append(bool(success))
        document["observations"].append({name: np.asarray(value, dtype=np.float64).ravel().tolist() for name, value in observation.items()})

    @property
    def succeeded(self) -> bool:
        return any(self._document["success"])

    def document(self, keep_observations: bool) -> dict[str, Any]:
        if keep_observations:
            return self._document
        return {name: value for name, value in self._document.items() if name != "observations"}
