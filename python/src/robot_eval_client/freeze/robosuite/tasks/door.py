"""Door: the hinge is open by more than 0.3 rad."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...original import Boundary, Policy
from .script import Phase, phases
from .task import MARGINS, RobosuiteTask

_OPEN_RAD = 0.3


def _hinge(env: Any) -> str:
    return str(env.door.joints[0])


def _rule(env: Any) -> dict[str, Any]:
    return {"joint_at": {"joint": _hinge(env), "at_least": _OPEN_RAD}}


def _boundaries(env: Any) -> Sequence[Boundary]:
    found = []
    for margin in (*MARGINS, 1e-2, 1e-1):
        for inside in (True, False):
            position = _OPEN_RAD + (margin if inside else -margin)
            found.append(Boundary(f"hinge by {margin:g} rad, {'inside' if inside else 'outside'}", inside, {_hinge(env): [position]}))
    return found


def _objects(env: Any) -> list[str]:
    return [str(env.door.door_body), str(env.door.latch_body)]


DOOR = RobosuiteTask("open the door", _objects, _rule, _boundaries)
