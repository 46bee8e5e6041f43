"""Grippers of robosuite with one action, whose sign opens or closes the fingers."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import FreezeError


def grip_commands(gripper: Any, size: int) -> dict[str, Any]:
    """The gripper's own formula, measured: its commands move by `steps` in the direction of the action's sign."""
    kept = gripper.current_action
    try:
        gripper.current_action = np.zeros(size)
        once = np.array(gripper.format_action(np.ones(gripper.dof)))
        twice = np.array(gripper.format_action(np.full(gripper.dof, 0.5)))
    except (AttributeError, ValueError, AssertionError) as error:
        raise FreezeError(f"the gripper {type(gripper).__name__} cannot be frozen: {error}") from error
    finally:
        gripper.current_action = kept
    if gripper.dof != 1 or not np.allclose(twice, np.clip(2 * once, -1, 1)) or not np.all(once):
        raise FreezeError(f"the gripper {type(gripper).__name__} does not move by the sign of one action; it cannot be frozen")
    return {"steps": once.tolist(), "initial": np.broadcast_to(np.asarray(kept, dtype=np.float64), once.shape).tolist()}
