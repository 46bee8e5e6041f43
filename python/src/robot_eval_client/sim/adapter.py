"""What stands between the bridge and one kind of simulator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..episode import Episode


@dataclass
class Frame:
    """What a world gives after reset and after each step.

    `state` is recorded, hashed and judged: plain numbers, lists, dictionaries and NumPy arrays. It has `success`,
    the world's own judgement, and may have `reward`, `subtasks`, `ee_pos`, `ee_quat_wxyz`, `gripper`, `qpos`,
    `qvel`, `objects`, `sim_state`, `state_hash`, `error`, and further names of the adapter's own.
    """

    observation: Mapping[str, Any]
    state: dict[str, Any]
    #: The world ends the episode: its horizon, or its own rule.
    done: bool = False
    #: Seconds of simulated time since reset.
    time_s: float | None = None
    info: Mapping[str, Any] | None = field(default=None)


class SimAdapter:
    """Derive from this for a world that is no Gymnasium environment.

    All methods of one object are called in one thread, always the same, the one in which it was made: contexts of
    OpenGL and of some simulators belong to a thread.
    """

    #: Names of sensors that are wanted, None: all. Set before `capabilities`, so that nobody renders in vain.
    wanted: frozenset[str] | None = None

    def capabilities(self) -> dict[str, Any]:
        """`sensors` and `action_space` at least, as docs/bridge.md has them. The rest gets defaults."""
        raise NotImplementedError

    def reset(self, episode: Episode, seed: int, task: Mapping[str, Any]) -> Frame:
        """Begins an episode. What comes depends on these arguments alone, never on what ran before."""
        raise NotImplementedError

    def step(self, action: Any) -> Frame:
        """`action` is a float64 vector as long as the action space says, all finite, or one of its names."""
        raise NotImplementedError

    def geometry(self) -> Mapping[str, Any] | None:
        """``{"mjcf": text, "assets": {name: bytes or Path}}`` of the world since its last reset; None where not known.

        `assets` are the files that the model names, by those names; a `Path` is read when it is sent. `groups`, a list
        of MuJoCo's geom groups, says which are looked at where they are not 0 to 2. Asked after each episode, and
        shown in the dashboard with the states' `qpos` or `sim_state`. Capabilities say `geometry: "mjcf"`.
        """
        return None

    def close(self) -> None:
        """No more episodes will come."""

    def wants(self, sensor: str) -> bool:
        return self.wanted is None or sensor in self.wanted
