"""Goals of LIBERO's tasks as success rules, with the tests of its own predicates."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .. import FreezeError

#: LIBERO's On needs less than this horizontal distance of the objects' centres, in metres.
_ON_M = 0.03

Rule = dict[str, Any]


def goal_rule(env: Any) -> Rule:
    """All conditions of the BDDL file's goal hold, as `_check_success` requires."""
    rules = [condition_rule(env, state) for state in env.parsed_problem["goal_state"]]
    return rules[0] if len(rules) == 1 else {"all": rules}


def condition_rule(env: Any, state: Sequence[str]) -> Rule:
    predicate, *names = state
    states = [env.object_states_dict[name] for name in names]
    kinds = [state.object_state_type for state in states]
    if predicate == "on" and kinds == ["object", "object"]:
        return _on_object(env, *names)
    if predicate in ("on", "in") and kinds == ["object", "site"]:
        return _at_site(env, predicate, *names)
    if predicate in _JOINTS and len(names) == 1:
        return _joints(env, predicate, states[0])
    raise FreezeError(f"the condition ({' '.join(state)}) of a goal cannot be frozen; use the bridge")


def _on_object(env: Any, thing: str, base: str) -> Rule:
    pair = {"object": _body(env, thing), "base": _body(env, base)}
    # LIBERO compares with "less than".
    near = {"object": pair["object"], "target": pair["base"], "within_m": math.nextafter(_ON_M, 0), "axes": "xy"}
    return {"all": [{"higher": pair}, {"touching": pair}, {"near": near}]}


def _at_site(env: Any, predicate: str, thing: str, site: str) -> Rule:
    model = env.sim.model._model
    region = env.object_sites_dict[site]
    place = model.site(site)
    body = model.body(int(place.bodyid[0])).name
    if predicate == "on" and not hasattr(region, "under"):
        raise FreezeError(f"(on {thing} {site}) always holds, so it cannot be a goal")
    rule: Rule = {
        "libero_region": {
            "object": _body(env, thing),
            "relation": predicate,
            "body": body,
            "position": place.pos.tolist(),
            "rotation_wxyz": place.quat.tolist(),
            "half_size": np.asarray(region.size, dtype=np.float64).tolist(),
        }
    }
    parent = env.object_states_dict[site].parent_name
    # LIBERO tests contact for On only, and only with regions of objects.
    if predicate == "in" or env.get_object(parent) is None:
        return rule
    return {"all": [rule, {"touching": {"object": _body(env, thing), "base": _body(env, parent)}}]}


#: The method of LIBERO's objects, and whether one joint is enough.
_JOINTS = {"open": ("is_open", "any"), "close": ("is_close", "all"), "turnon": ("turn_on", "any"), "turnoff": ("turn_off", "all")}


def _joints(env: Any, predicate: str, state: Any) -> Rule:
    method, combination = _JOINTS[predicate]
    is_site = state.object_state_type == "site"
    thing = env.get_object(state.parent_name if is_site else state.object_name)
    joints = env.object_sites_dict[state.object_name].joints if is_site else thing.joints
    rules = [_threshold(str(joint), getattr(thing, method), thing.object_properties["articulation"]) for joint in joints]
    if not rules:
        raise FreezeError(f"({predicate} {state.object_name}) of a goal has no joints")
    return rules[0] if len(rules) == 1 else {combination: rules}


def _threshold(joint: str, holds: Callable[[float], bool], ranges: dict[str, Sequence[float]]) -> Rule:
    """LIBERO compares a joint with one end of a range. Which one, and in which direction, is found by asking it."""
    for value in sorted({float(end) for ends in ranges.values() for end in ends}):
        below, at, above = (bool(holds(position)) for position in (math.nextafter(value, -math.inf), value, math.nextafter(value, math.inf)))
        if below == above:
            continue
        # A comparison that excludes the threshold is the opposite of one that includes it.
        if above:
            return {"joint_at": {"joint": joint, "at_least": value}} if at else {"not": {"joint_at": {"joint": joint, "at_most": value}}}
        return {"joint_at": {"joint": joint, "at_most": value}} if at else {"not": {"joint_at": {"joint": joint, "at_least": value}}}
    raise FreezeError(f"the threshold of joint {joint} was not found in {ranges}")


def _body(env: Any, name: str) -> str:
    return str(env.get_object(name).root_body)


def unchecked_geoms(env: Any) -> list[str]:
    """Geoms of objects that can have contacts, but which LIBERO's tests of contact ignore, such as visible parts of a stove."""
    model = env.sim.model._model
    found: set[str] = set()
    for thing in [*env.objects_dict.values(), *env.fixtures_dict.values()]:
        bodies = {model.body(thing.root_body).id}
        # Bodies come after their parents.
        for body in range(min(bodies) + 1, model.nbody):
            if int(model.body_parentid[body]) in bodies:
                bodies.add(body)
        geoms = (number for number in range(model.ngeom) if int(model.geom_bodyid[number]) in bodies)
        solid = {model.geom(number).name for number in geoms if model.geom_contype[number] or model.geom_conaffinity[number]}
        found |= solid - set(thing.contact_geoms)
    if "" in found:
        raise FreezeError("LIBERO's tests of contact ignore a geom that has no name")
    return sorted(found)
