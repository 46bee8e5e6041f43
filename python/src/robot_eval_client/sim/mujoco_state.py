"""The state of any environment that uses MuJoCo."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from .values import hash_of

# Warnings of MuJoCo for a diverged step, after which it silently resets to the model's initial state.
_DIVERGED = ("mjWARN_BADQPOS", "mjWARN_BADQVEL", "mjWARN_BADQACC", "mjWARN_BADCTRL")


class MujocoView:
    """Reads a model and its data, which must be objects of MuJoCo's Python bindings."""

    def __init__(self, model: Any, data: Any) -> None:
        self._mujoco = importlib.import_module("mujoco")
        self._model = model
        self.data = data
        # Everything that the next step depends on, including the solver's warm start.
        self._spec = self._mujoco.mjtState.mjSTATE_INTEGRATION
        self._buffer = np.empty(self._mujoco.mj_stateSize(model, self._spec), dtype=np.float64)
        self._warnings = [(name, int(getattr(self._mujoco.mjtWarning, name))) for name in _DIVERGED]

    @classmethod
    def of(cls, holder: Any) -> MujocoView | None:
        """None for an object without a MuJoCo model and data."""
        model, data = getattr(holder, "model", None), getattr(holder, "data", None)
        if type(model).__name__ == "MjModel" and type(data).__name__ == "MjData":
            return cls(model, data)
        return None

    @property
    def time_s(self) -> float:
        return float(self.data.time)

    @property
    def model(self) -> Any:
        return self._model

    def sim_state(self) -> Any:
        data = self.data
        return np.concatenate(([data.time], data.qpos, data.qvel, data.act))

    def hash(self) -> str:
        self._mujoco.mj_getState(self._model, self.data, self._buffer, self._spec)
        return hash_of(self._buffer)

    def diverged(self) -> str | None:
        for name, kind in self._warnings:
            if self.data.warning[kind].number:
                return f"the physics diverged: MuJoCo warns with {name}"
        return None

    def state(self) -> dict[str, Any]:
        state: dict[str, Any] = {
            "qpos": np.array(self.data.qpos),
            "qvel": np.array(self.data.qvel),
            "sim_state": self.sim_state(),
            "state_hash": self.hash(),
        }
        diverged = self.diverged()
        if diverged is not None:
            state["error"] = diverged
        return state
