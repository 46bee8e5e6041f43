"""What a policy receives at the start of an episode."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Episode(dict[str, Any]):
    """The episode as received, a dictionary with properties for the fields that every task has.

    Fields that are not disclosed, such as the goal of a navigation task, are None.
    """

    def __init__(self, fields: Mapping[str, Any], session_id: str = "") -> None:
        super().__init__(fields)
        #: Identifies the session among concurrent ones; equal in each of the episode's observations.
        self.session_id = session_id

    @property
    def episode_id(self) -> str:
        return str(self.get("episode_id", ""))

    @property
    def task_type(self) -> str:
        return str(self.get("task_type", ""))

    @property
    def scene_id(self) -> str:
        return str(self.get("scene_id", ""))

    @property
    def instruction(self) -> str:
        """The instruction's text; empty if the task has none."""
        value = self.get("instruction")
        if isinstance(value, Mapping):
            value = value.get("text")
        return value if isinstance(value, str) else ""

    @property
    def goals(self) -> Any:
        return self.get("goals")

    @property
    def action_space(self) -> dict[str, Any]:
        """``{"name", "actions", "shape", "range", "semantics"}``; keys may be missing."""
        value = self.get("action_space")
        return value if isinstance(value, dict) else {}

    @property
    def sensors(self) -> list[str]:
        value = self.get("sensors")
        return value if isinstance(value, list) else []

    @property
    def conventions(self) -> dict[str, Any]:
        value = self.get("conventions")
        return value if isinstance(value, dict) else {}

    @property
    def seed(self) -> int | None:
        """Seed for the policy's own random numbers, so that a run can be repeated."""
        value = self.get("seed")
        return value if isinstance(value, int) else None
