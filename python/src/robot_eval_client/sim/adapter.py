"""The interface between the bridge and a simulator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..episode import Episode


@dataclass
class Frame:
    """What an environment returns after reset and after each step.

    `state` is recorded, hashed and scored: plain numbers, lists, dictionaries and NumPy arrays. It has `success`, as
    the environment defines it, and may have `reward`, `subtasks`, `ee_pos`, `ee_quat_wxyz`, `gripper`, `qpos`, `qvel`,
    `objects`, `sim_state`, `state_hash`, `error`, and further fields of the adapter.
    """

    observation: Mapping[str, Any]
    state: dict[str, Any]
    #: The environment ends the episode, by its horizon or its own rule.
    done: bool = False
    #: Seconds of simulated time since reset.
    time_s: float | None = None
    info: Mapping[str, Any] | None = field(default=None)


class SimAdapter:
    """Base class for environments that do not implement Gymnasium's interface.

    All methods of one object are called in the thread in which it was created, because contexts of OpenGL and of some
    simulators belong to a thread.
    """

    #: The requested sensors; None: all. Set before `capabilities`, so that nothing is rendered needlessly.
    wanted: frozenset[str] | None = None

    def capabilities(self) -> dict[str, Any]:
        """At least `sensors` and `action_space`, as described in docs/bridge.md. The rest has defaults."""
        raise NotImplementedError

    def reset(self, episode: Episode, seed: int, task: Mapping[str, Any]) -> Frame:
        """Starts an episode. The result must depend on these arguments only, not on earlier episodes."""
        raise NotImplementedError

    def step(self, action: Any) -> Frame:
        """`action` is a finite float64 vector of the action space's length, or the name of one of its actions."""
        raise NotImplementedError

    def geometry(self) -> Mapping[str, Any] | None:
        """``{"mjcf": text, "assets": {name: bytes or Path}}`` of the scene since the last reset; None if unknown.

        `assets` are the files that the model references, by name; a `Path` is read when it is sent. `groups` lists the
        visible geom groups if they are not MuJoCo's default of 0 to 2. Requested after each episode, and shown in the
        dashboard with the states' `qpos` or `sim_state`. Declare `geometry: "mjcf"` in the capabilities.
        """
        return None

    def close(self) -> None:
        """Called when no more episodes follow."""

    def wants(self, sensor: str) -> bool:
        return self.wanted is None or sensor in self.wanted
