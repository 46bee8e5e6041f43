"""An open environment whose hand is welded to a mocap body, which four numbers move."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..original import Boundary, Observation, Original, Reading
from .composed import composed
from .edges import edges
from .readings import evaluators


class MocapOriginal(Original):
    #: Site at the end effector.
    site: str

    def __init__(self, env: Any, path: Path) -> None:
        self._env = env
        self._path = path

    @property
    def model(self) -> Any:
        return self._env.model

    @property
    def data(self) -> Any:
        return self._env.data

    def close(self) -> None:
        self._env.close()

    def xml(self) -> str:
        return composed(self._path)

    def start(self) -> dict[str, Any]:
        numbers = {name: np.asarray(value, dtype=np.float64).tolist() for name, value in self.constants().items()}
        return {"initial_joints": [], "constants": numbers}

    @abstractmethod
    def constants(self) -> Mapping[str, Any]:
        """Numbers of the episode that are observed, such as its goal."""

    @abstractmethod
    def point(self) -> Any:
        """What has to come to the target."""

    @abstractmethod
    def target(self) -> Any: ...

    @property
    @abstractmethod
    def goal_joints(self) -> Sequence[str | int]:
        """The joints, by name or number, that bring the point to the target: a free one, or some with one number each."""

    def hand_position(self) -> Any:
        return self.data.site(self.site).xpos

    def action_limits(self) -> tuple[Any, Any]:
        return np.full(4, -1.0), np.ones(4)

    def evaluators(self) -> Mapping[str, Callable[[Reading, Observation], Any]]:
        return evaluators(self, self.constants)

    def boundaries(self) -> Sequence[Boundary]:
        return edges(self)
