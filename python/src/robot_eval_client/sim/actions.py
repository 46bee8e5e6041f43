"""Checks a received action against the action space. An invalid action is a fault of the agent."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..errors import ActionError
from ..fields import shown


def checked_action(action: Any, space: Mapping[str, Any]) -> Any:
    """A float64 vector of the right length, or the name of an action.

    Bounds are not enforced: the environment handles values outside them as it does without the bridge.
    """
    if space["type"] == "discrete":
        return _name(action, space["actions"])
    if isinstance(action, Mapping):
        action = action.get("qpos", action.get("action", action))
    if not isinstance(action, (list, tuple, np.ndarray)):
        raise ActionError(f"the action is {shown(action)}; this environment takes {_vector_text(space)}")
    try:
        vector = np.asarray(action, dtype=np.float64)
    except (TypeError, ValueError):
        raise ActionError(f"the action is {shown(action)}; this environment takes {_vector_text(space)}") from None
    wanted = len(space["low"])
    if vector.shape != (wanted,):
        raise ActionError(f"the action has the shape {list(vector.shape)}; this environment takes {_vector_text(space)}")
    if not np.isfinite(vector).all():
        at = int(np.flatnonzero(~np.isfinite(vector))[0])
        raise ActionError(f"entry {at} of the action is {vector[at]}; all must be finite numbers")
    return vector


def _name(action: Any, names: list[str]) -> str:
    if isinstance(action, Mapping):
        action = action.get("name", action)
    # Where the names are numbers, a number or a vector of length 1 is accepted, as Gymnasium's policies return.
    if isinstance(action, (list, tuple, np.ndarray)) and np.size(action) == 1:
        action = np.asarray(action).reshape(-1)[0]
    if isinstance(action, (int, float, np.number)) and not isinstance(action, bool):
        number = float(action)
        action = str(int(number)) if math.isfinite(number) and number.is_integer() else number
    if isinstance(action, str) and action in names:
        return action
    few = ", ".join(names[:20]) + (", ..." if len(names) > 20 else "")
    raise ActionError(f"the action is {shown(action)}; this environment takes one of {few}")


def _vector_text(space: Mapping[str, Any]) -> str:
    names = space.get("names")
    return f"a vector of {len(space['low'])} finite numbers" + (f" ({', '.join(names)})" if names else "")
