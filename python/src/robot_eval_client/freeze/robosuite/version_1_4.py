"""A task of robosuite 1.4, with which the data sets of robomimic were recorded."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from ..original import Demonstration
from .control_1_4 import ORDER, action_of
from .task_original import TaskOriginal


class TaskOriginal14(TaskOriginal):
    def _settings(self, controller: str) -> dict[str, Any]:
        config = importlib.import_module("robosuite.controllers").load_controller_config(default_controller=controller)
        return {"controller_configs": config}

    def _draw_from(self, seed: int) -> None:
        np.random.seed(seed)

    def _arm(self) -> Any:
        return self._env.robots[0].controller

    def _action(self) -> dict[str, Any]:
        return action_of(self._env)

    def _order(self) -> str:
        return ORDER

    def _rest(self, demonstration: Demonstration) -> Any:
        """Its recorder and robomimic start from the composed model, whose arm has no noise."""
        return np.array(self._env.robots[0].init_qpos)
