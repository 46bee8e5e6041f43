"""What originals made with robosuite share, whatever its version: those of robosuite itself and those of LIBERO."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..original import Observation, Original, Reading
from .readings import candidates, evaluators


class RobosuiteEnvironment(Original):
    """An original with an environment of robosuite, which the subclass sets."""

    _env: Any

    @property
    def model(self) -> Any:
        return self._env.sim.model._model

    @property
    def data(self) -> Any:
        return self._env.sim.data._data

    def success(self) -> bool:
        return bool(self._env._check_success())

    def action_limits(self) -> tuple[Any, Any]:
        low, high = self._env.action_spec
        return low, high

    def readings(self) -> Sequence[tuple[str, Reading]]:
        return candidates(self._env)

    def evaluators(self) -> Mapping[str, Callable[[Reading, Observation], Any]]:
        return evaluators(self._env)
