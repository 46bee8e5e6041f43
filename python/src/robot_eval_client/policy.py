"""What a policy author writes, and what is known of it before it acts."""

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
    """Several actions in one reply, done one after the other: ``Chunk(["turn_left", "move_forward"])``.

    A plain list is one vector, so a chunk of names, or of lists, has to say that it is one. A 2-D array is a
    chunk of its rows.
    """


#: A name, a vector, ``{"name": ...}``, ``{"qpos": ...}``, or several of these.
Action = Union[str, Sequence[float], npt.NDArray[Any], Mapping[str, Any], Chunk]


class Policy:
    """Derive from this, write `act`, and give it to `serve` or `connect`.

    An optional method ``act_batch(self, observations: list[Observation]) -> list[Action]`` lets one object
    play many episodes side by side: observations that arrive while a batch is computed make up the next one.

    All methods of one object are called in one thread, always the same, never two at once.
    """

    #: The sensors to be rendered and sent; None: all that the task has.
    sensors: Sequence[str] | None = None
    #: The most actions that one `act` returns.
    action_chunk: int = 1
    #: What the policy takes for granted, by the names in `robot_eval_client.conventions.KNOWN`.
    conventions: Mapping[str, Convention] = {}

    def reset(self, episode: Episode) -> None:
        """A new episode begins: forget the last one."""

    def act(self, observation: Observation) -> Action:
        """What to do next, from what is seen now."""
        act_batch = getattr(self, "act_batch", None)
        if act_batch is None:
            raise NotImplementedError(f"{type(self).__name__} has neither `act` nor `act_batch`")
        (action,) = act_batch([observation])
        return action  # type: ignore[no-any-return]

    def close(self) -> None:
        """No more episodes will come: the server stops."""


@dataclass(frozen=True)
class Declaration:
    """What a policy says of itself at the handshake, checked."""

    name: str
    sensors: tuple[str, ...] | None
    action_chunk: int
    conventions: Mapping[str, Convention]
    batches: bool

    def capabilities(self) -> dict[str, Any]:
        said: dict[str, Any] = {"action_chunk": self.action_chunk}
        if self.sensors is not None:
            said["sensors"] = list(self.sensors)
        if self.conventions:
            said["conventions"] = dict(self.conventions)
        return said


def declaration_of(policy: object) -> Declaration:
    """Reads a policy object; one that does not derive from `Policy` will do if it has `act`."""
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
    # A string is iterable too, and its letters are no sensors.
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
    raise PolicyDefinitionError(f"{name}.action_chunk is {value!r}; it must be a whole number from 1 on")
