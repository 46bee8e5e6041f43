"""The originals of frozen worlds: the environments that `robot_eval_client.freeze` froze, at the frozen initial states.

A policy that runs here and on the frozen world sees the same episodes, so that both success rates can be compared episode by
episode. The freezer writes `original.yaml` for it. There are no cameras.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...episode import Episode
from ...freeze import FreezeError
from ...freeze.original import FreezeOptions, Observation, Original
from ...freeze.suites import SUITES, suite_named
from ...freeze.world import start_of
from ..adapter import Frame, SimAdapter
from ..choice import name_and_arguments
from ..errors import EpisodeError
from .robosuite_view import sensor_of

#: Largest difference of an initial state from the frozen one. The same versions give equal numbers on one machine.
_TOLERANCE = 1e-9


def original_env(default: str | None = None) -> Callable[[dict[str, Any]], OriginalAdapter]:
    """For `serve_env`: `env: {name: Lift, suite: robosuite, seed: 0}`, optionally with `controller` and `robot`."""

    def make(task: dict[str, Any]) -> OriginalAdapter:
        name, arguments = name_and_arguments(task, default, "original")
        suite = arguments.pop("suite", None)
        if suite not in SUITES:
            raise EpisodeError(f"env.suite is {suite!r}; use one of {', '.join(SUITES)}")
        unknown = arguments.keys() - {"seed", "controller", "robot"}
        if unknown:
            raise EpisodeError(f"env has the unknown key {min(unknown)!r}; use name, suite, seed, controller and robot")
        try:
            return OriginalAdapter(suite_named(suite).open(name, FreezeOptions(1, 1, 1, **{"seed": 0, **arguments})))
        except FreezeError as error:
            raise EpisodeError(str(error)) from error

    return make


class OriginalAdapter(SimAdapter):
    def __init__(self, original: Original) -> None:
        self._original = original
        self._start_s = 0.0

    def capabilities(self) -> dict[str, Any]:
        observation = self._original.reset(0)
        low, high = self._original.action_limits()
        description = self._original.description()
        return {
            "simulator": {"name": description["suite"]["name"], "version": "1", "env": description["suite"]["env"]},
            "families": ["manipulation"],
            "sensors": {name: sensor_of(name, value) for name, value in observation.items() if self.wants(name)},
            "action_space": {"type": "continuous", "low": low.tolist(), "high": high.tolist()},
            "deterministic": True,
            "control_hz": description["control"]["hz"],
            "conventions": description["conventions"],
        }

    def reset(self, episode: Episode, seed: int, task: Mapping[str, Any]) -> Frame:
        number = str(episode["episode_id"])
        if not number.isdecimal():
            raise EpisodeError(f"episode {number!r} is not a reset of its original; remove it from the dataset")
        observation = self._original.reset(int(number))
        self._check_start(episode)
        self._start_s = float(self._original.data.time)
        return self._frame(observation)

    def step(self, action: Any) -> Frame:
        return self._frame(self._original.step(action))

    def close(self) -> None:
        self._original.close()

    def _check_start(self, episode: Episode) -> None:
        frozen = episode.get("task_config", {}).get("frozen", {})
        here = start_of(self._original)
        for part in ("qpos", "qvel", "mocap_pos"):
            expected, own = (np.asarray(one.get("state", {}).get(part, ()), dtype=np.float64) for one in (frozen, here))
            error = float(np.abs(own - expected).max(initial=0)) if own.shape == expected.shape else np.inf
            if error > _TOLERANCE:
                raise EpisodeError(
                    f"episode {episode['episode_id']} starts elsewhere in the original: {part} is off by {error:.2g}. "
                    "Install the versions that the world's description names, or freeze the world again"
                )

    def _frame(self, observation: Observation) -> Frame:
        original = self._original
        state = {
            "success": original.success(),
            "ee_pos": np.array(original.hand_position()),
            "qpos": np.array(original.data.qpos),
        }
        readings = {name: value for name, value in observation.items() if self.wants(name)}
        return Frame(readings, state, False, float(original.data.time) - self._start_s)
