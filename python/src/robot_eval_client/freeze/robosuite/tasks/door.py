"""Door: the hinge is open by more than 0.3 rad."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...original import Boundary, Observation, Policy
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


def _script(env: Any, rng: np.random.Generator) -> Policy:
    """Presses the handle down with open fingers on both of its sides, until the latch is clear of the frame, and pulls. The fingers
    are off by up to 3 cm, so that some attempts fail."""
    offset = rng.uniform((-0.02, -0.03), (0.03, 0.03))
    handle = float(env.sim.data.site_xpos[env.door_handle_site_id][2])

    def at(place: Any, height: float) -> Any:
        return np.append(place, handle + height)

    def along(seen: Observation) -> Any:
        return seen["handle_pos"][:2] + offset

    return phases(
        env,
        [
            Phase(10, lambda seen: at(seen["robot0_eef_pos"][:2], 0.12)),
            Phase(25, lambda seen: at(along(seen), 0.12)),
            Phase(15, lambda seen: at(along(seen), 0)),
            Phase(25, lambda seen: at(along(seen), -0.14)),
            # Also away from the hinge, which keeps the handle down.
            Phase(None, lambda seen: at(seen["robot0_eef_pos"][:2] + (0.03, 0.05), -0.12)),
        ],
    )


DOOR = RobosuiteTask("open the door", _objects, _rule, _boundaries, _script)
