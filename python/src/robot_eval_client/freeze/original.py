"""An environment of a Python benchmark, as the freezer sees it. Each suite implements `Suite` and `Original` once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from . import FreezeError

Observation = Mapping[str, Any]
#: From the observation and the number of the control step to an action.
Policy = Callable[[Observation, int], Any]
#: A value of the model that is observed; `observations` of the description.
Reading = dict[str, Any]


@dataclass(frozen=True)
class FreezeOptions:
    episodes: int
    rollouts: int
    steps: int
    seed: int
    #: None: the suite's default.
    controller: str | None = None
    robot: str | None = None
    #: A file of demonstrations, each of which becomes an episode and a rollout.
    demonstrations: Path | None = None
    #: Whether frames of the first rollouts are drawn.
    frames: bool = False


@dataclass(frozen=True)
class Demonstration:
    name: str
    #: All positions and velocities at its start.
    qpos: Any
    qvel: Any
    #: By control step.
    actions: Any
    #: The composed model in which it was recorded, whose objects may have other sizes.
    xml: str


@dataclass(frozen=True)
class Boundary:
    """A state close to the goal: the state after a reset with some or all joints changed, and all velocities zero."""

    name: str
    #: Whether it lies just inside the goal; the freezer fails if the original's success check disagrees.
    inside: bool
    #: Position of each changed joint, by its name: 1, 4 or 7 numbers.
    joints: Mapping[str, Sequence[float]] = field(default_factory=dict)
    #: All positions, where joints have no names.
    qpos: Sequence[float] | None = None


class Original(ABC):
    """One open environment. Everything is asked for after a reset."""

    #: What the policy is told.
    instruction: str

    @property
    @abstractmethod
    def model(self) -> Any:
        """The `mujoco.MjModel`; a reset may replace it."""

    @property
    @abstractmethod
    def data(self) -> Any:
        """The `mujoco.MjData`; a reset may replace it."""

    @abstractmethod
    def reset(self, number: int) -> Observation:
        """Starts an episode. Suites with a list of initial states take the one with this number."""

    @abstractmethod
    def step(self, action: Any) -> Observation:
        """One control step."""

    @abstractmethod
    def success(self) -> bool:
        """The original's own success check."""

    @abstractmethod
    def close(self) -> None: ...

    @abstractmethod
    def xml(self) -> str:
        """The composed model with all digits. Its files have absolute paths."""

    @abstractmethod
    def description(self) -> dict[str, Any]:
        """The suite's part of the description: suite, licences, control, horizon, robot, objects, action, cameras, ..."""

    @abstractmethod
    def start(self) -> dict[str, Any]:
        """What the controllers need besides the state: `task_config.frozen` without `state` and `model`."""

    @abstractmethod
    def rule(self) -> dict[str, Any]:
        """The success condition of the episode. It is compared with `success` where it is played."""

    @abstractmethod
    def hand_position(self) -> Any: ...

    @abstractmethod
    def action_limits(self) -> tuple[Any, Any]: ...

    @abstractmethod
    def readings(self) -> Sequence[tuple[str, Reading]]:
        """Readings that observations may have, by name; several for one name are tried in order."""

    def values(self) -> Mapping[str, Reading]:
        """Parts of readings that are not observed themselves; `values` of the description. Each may use those before it."""
        return {}

    def evaluators(self) -> Mapping[str, Callable[[Reading, Observation], Any]]:
        """Kinds of readings that the suite computes in its own way, such as in single precision."""
        return {}

    def script(self, rng: np.random.Generator) -> Policy | None:
        """A policy that usually succeeds from the current state; None if there is none."""
        return None

    def demonstrations(self, file: Path) -> Sequence[Demonstration]:
        """The demonstrations in a file."""
        raise FreezeError(f"{file}: only demonstrations of robosuite can be frozen; omit --demonstrations")

    def begin(self, demonstration: Demonstration) -> Observation:
        """Starts the episode of a demonstration."""
        raise NotImplementedError

    def boundaries(self) -> Sequence[Boundary]:
        """States on both sides of the goal."""
        return ()


class Suite(ABC):
    #: What to install where an import fails.
    packages: str

    @abstractmethod
    def worlds(self, environments: Sequence[str], options: FreezeOptions) -> Mapping[str, str]:
        """The environment of each world, by the name of its files. Raises FreezeError for unknown environments."""

    @abstractmethod
    def open(self, environment: str, options: FreezeOptions) -> Original: ...
