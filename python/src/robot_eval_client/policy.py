"""The base class of policies, and the checked declaration of a policy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Union

import numpy as np
import numpy.typing as npt

from .conventions import Convention, check_conventions
from .errors import PolicyDefinitionError

if TYPE_CHECKING:
    from .episode import Episode
    from .observation import Observation


class Chunk(list[Any]):
    """Several actions in one reply, executed in order: ``Chunk(["turn_left", "move_forward"])``.

    A plain list is a single vector, so a chunk of names or of lists must be a `Chunk`. A 2-D array is a chunk of its
    rows.
    """


#: A name, a vector, ``{"name": ...}``, ``{"qpos": ...}``, or several of these.
Action = Union[str, Sequence[float], npt.NDArray[Any], Mapping[str, Any], Chunk]


class Policy:
    """Base class of policies: implement `act`, and pass the policy to `serve` or `connect`.

    An optional method ``act_batch(self, observations: list[Observation]) -> list[Action]`` lets one object run many
    episodes concurrently: observations that arrive while a batch is computed form the next batch.

    All methods of one object are called in the same thread, one at a time.
    """

    #: The sensors to render and send; None: all sensors of the task.
    sensors: Sequence[str] | None = None
    #: The maximum number of actions that `act` returns.
    action_chunk: int = 1
    #: The conventions that the policy assumes, by the names in `robot_eval_client.conventions.KNOWN`.
    conventions: Mapping[str, Convention] = {}

    def reset(self, episode: Episode) -> None:
        """Called at the start of each episode: clear any state of the previous one."""

    def act(self, observation: Observation) -> Action:
        """Returns the next action."""
        act_batch = getattr(self, "act_batch", None)
        if act_batch is None:
            raise NotImplementedError(f"{type(self).__name__} has neither `act` nor `act_batch`")
        (action,) = act_batch([observation])
        return action  # type: ignore[no-any-return]

    def close(self) -> None:
        """Called when the server stops."""


@dataclass(frozen=True)
class Declaration:
    """What a policy declares in the handshake, validated."""

    name: str
    sensors: tuple[str, ...] | None
    action_chunk: int
    conventions: Mapping[str, Convention]
    batches: bool

    def capabilities(self) -> dict[str, Any]:
        capabilities: dict[str, Any] = {"action_chunk": self.action_chunk}
        if self.sensors is not None:
            capabilities["sensors"] = list(self.sensors)
        if self.conventions:
            capabilities["conventions"] = dict(self.conventions)
        return capabilities


def declaration_of(policy: object) -> Declaration:
    """Validates a policy object, which need not derive from `Policy` if it has `act`."""
    name = type(policy).__name__
    batches = callable(getattr(policy, "act_batch", None))
    own_act = getattr(type(policy), "act", None)
    if not batches and (own_act is Policy.act or not callable(getattr(policy, "act", None))):
        raise PolicyDefinitionError(
            f"{name} has no method `act`; a policy needs `def act(self, observation)` that returns an action"
        )
    return Declaration(
        name=name,
        sensors=_sensors(getattr(policy, "sensors", None), name),
        action_chunk=_chunk_length(getattr(policy, "action_chunk", 1), name),
        conventions=check_conventions(getattr(policy, "conventions", None) or {}, name),
        batches=batches,
    )


def _sensors(value: object, name: str) -> tuple[str, ...] | None:
    if value is None:
        return None
    # A string is iterable too, but its letters are not sensors.
    if not isinstance(value, str) and isinstance(value, Iterable):
        names = tuple(value)
        if all(isinstance(sensor, str) for sensor in names):
            return names
    raise PolicyDefinitionError(f"{name}.sensors is {value!r}; it must be a list of names such as ['rgb', 'depth']")


def _chunk_length(value: object, name: str) -> int:
    if value is None:
        return 1
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool) and value >= 1:
        return int(value)
    raise PolicyDefinitionError(f"{name}.action_chunk is {value!r}; it must be a whole number, 1 or greater")
