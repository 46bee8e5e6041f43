"""Other projects' protocols for serving policies. In each, requests and replies are MessagePack maps of arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from .errors import ActionError

Fields = Mapping[str, Any]


@dataclass(frozen=True)
class Timing:
    infer_ms: float
    #: Milliseconds from receiving the last request to sending its reply.
    last_total_ms: float | None

    def server(self) -> dict[str, float]:
        timing = {"infer_ms": self.infer_ms}
        if self.last_total_ms is not None:
            timing["prev_total_ms"] = self.last_total_ms
        return timing


@dataclass(frozen=True)
class Dialect:
    #: Whether a request starts an episode.
    is_reset: Callable[[Fields], bool]
    reply: Callable[[list[Any], Timing], dict[str, Any]]
    #: The reply to a request that starts an episode; None: it is not answered.
    reset_answer: str | None = None
    #: Keys of a request that do not belong to the observation.
    own_keys: tuple[str, ...] = ()
    #: What the server sends first. Clients of a dialect with metadata require exactly these keys.
    metadata: Fields = field(default_factory=dict)


def _openpi(actions: list[Any], timing: Timing) -> dict[str, Any]:
    policy_timing = {"infer_ms": timing.infer_ms}
    return {"actions": matrix(actions), "policy_timing": policy_timing, "server_timing": timing.server()}


def _behavior(actions: list[Any], timing: Timing) -> dict[str, Any]:
    rows = matrix(actions)
    # BEHAVIOR's evaluator passes the vector to the robot unchanged.
    return {"action": rows[0] if len(actions) == 1 else rows, "server_timing": timing.server()}


DIALECTS: Mapping[str, Dialect] = {
    "openpi": Dialect(is_reset=lambda request: False, reply=_openpi),
    "behavior": Dialect(is_reset=lambda request: "reset" in request, reply=_behavior),
    "roboarena": Dialect(
        is_reset=lambda request: request.get("endpoint") == "reset",
        reply=lambda actions, timing: {"actions": matrix(actions)},
        reset_answer="reset successful",
        own_keys=("endpoint",),
        metadata={
            "image_resolution": [224, 224],
            "needs_wrist_camera": True,
            "n_external_cameras": 1,
            "needs_stereo_camera": False,
            "needs_session_id": False,
            "action_space": "joint_position",
        },
    ),
}


def matrix(actions: list[Any]) -> npt.NDArray[np.float64]:
    """The actions as one array, one row each."""
    rows = [_vector(action) for action in actions]
    if len({len(row) for row in rows}) > 1:
        raise ActionError("act returned actions of different lengths")
    return np.stack(rows)


def _vector(action: Any) -> npt.NDArray[np.float64]:
    values = action.get("qpos") if isinstance(action, dict) else action
    if values is None or isinstance(values, str):
        raise ActionError(f"act returned {action!r:.100}; this dialect only supports vectors")
    return np.asarray(values, dtype=np.float64).reshape(-1)
