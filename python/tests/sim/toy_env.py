"""An environment for tests of the command-line program."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from robot_eval_client import Episode
from robot_eval_client.sim import Frame, SimAdapter


class Counter(SimAdapter):
    def __init__(self, start: int, hangs: bool) -> None:
        self.value = start
        self.hangs = hangs

    def capabilities(self) -> dict[str, Any]:
        return {"sensors": {}, "action_space": {"type": "discrete", "actions": ["go"]}}

    def reset(self, episode: Episode, seed: int, task: Mapping[str, Any]) -> Frame:
        return Frame({}, {"success": False, "value": self.value})

    def step(self, action: Any) -> Frame:
        while self.hangs:
            time.sleep(1)
        self.value += 1
        return Frame({}, {"success": False, "value": self.value})


def make_env(task: dict[str, Any]) -> Counter:
    return Counter(task["env"].get("start", 0), task["env"].get("hangs", False))
