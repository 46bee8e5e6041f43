"""A policy for the tasks of LIBERO that put objects onto or into something: grasp from above, carry, let go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..original import Observation, Policy
from ..robosuite.tasks.script import Phase, phases

#: Heights of an object above its place while it is carried and where it is let go, in metres.
_CARRY_M, _DROP_M = 0.2, 0.08
#: Open containers are grasped at their rim: its radius, and its height above their centre, in metres.
_RIMS = {"akita_black_bowl": (0.05, 0.02)}


def pick_and_place(env: Any, rng: np.random.Generator) -> Policy | None:
    """None for other goals. Grasps are off by up to 2 cm, so that some attempts fail."""
    goal = env.parsed_problem["goal_state"]
    if any(condition[0] not in ("on", "in") or len(condition) != 3 for condition in goal):
        return None
    return phases(env, [phase for _, thing, place in goal for phase in _phases(env, thing, place, rng)])


def _phases(env: Any, thing: str, place: str, rng: np.random.Generator) -> Sequence[Phase]:
    target = np.array(env.object_states_dict[place].get_geom_state()["pos"])
    radius, height = next((rim for name, rim in _RIMS.items() if thing.startswith(name)), (0.0, 0.0))
    # The fingers close along y.
    grasp = np.append(rng.uniform(-0.02, 0.02, 2), 0) + (0, radius, height)

    def at(seen: Observation) -> Any:
        return seen[f"{thing}_pos"] + grasp

    def over(seen: Observation, above: float) -> Any:
        """Where the hand is if the object is above its place."""
        return target + seen["robot0_eef_pos"] - seen[f"{thing}_pos"] + (0, 0, above)

    return [
        Phase(25, lambda seen: at(seen) + (0, 0, 0.12)),
        Phase(25, at),
        Phase(12, at, closed=True),
        Phase(20, lambda seen: seen["robot0_eef_pos"] + (0, 0, 0.1), closed=True),
        Phase(45, lambda seen: over(seen, _CARRY_M), closed=True),
        Phase(20, lambda seen: over(seen, _DROP_M), closed=True),
        Phase(10, lambda seen: seen["robot0_eef_pos"]),
        Phase(10, lambda seen: seen["robot0_eef_pos"] + (0, 0, 0.1)),
    ]
