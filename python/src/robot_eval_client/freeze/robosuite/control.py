"""Controllers and grippers of robosuite 1.5 as data, with every parameter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import FreezeError
from .grip import grip_commands

CONTROLLERS = ("OSC_POSE", "OSC_POSITION", "JOINT_POSITION")

#: Parameters of robosuite's controllers that robot-eval computes without; their values must be these.
_UNSUPPORTED = {
    "impedance_mode": "fixed",
    "interpolator": None,
    "interpolator_pos": None,
    "interpolator_ori": None,
    "position_limits": None,
    "orientation_limits": None,
}


def check_controller(name: str, known: Sequence[str] = CONTROLLERS) -> None:
    if name not in known:
        raise FreezeError(f"the controller {name!r} of this version cannot be frozen; use {', '.join(known)}")


def action_of(env: Any) -> dict[str, Any]:
    """The layout of the action vector: which part of the robot gets which components, and how."""
    if len(env.robots) != 1 or len(env.robots[0].arms) != 1:
        raise FreezeError("only worlds with one robot with one arm can be frozen; use the bridge for this one")
    robot = env.robots[0]
    low, high = env.action_spec
    composite = robot.composite_controller
    if type(composite).__name__ != "CompositeController":
        raise FreezeError(f"the composite controller {type(composite).__name__} cannot be frozen; use BASIC, or the bridge")
    parts = []
    for name, controller in composite.part_controllers.items():
        start, end = composite._action_split_indexes[name]
        if end == start:
            continue
        actuators = [env.sim.model.actuator_id2name(index) for index in robot._ref_actuators_indexes_dict[name]]
        layout = {"start": int(start), "end": int(end), "actuators": actuators}
        if name in composite.grippers:
            parts.append({**layout, **_gripper(robot, name, controller)})
        else:
            parts.append({**layout, **_arm(env, controller)})
    return {"low": low.tolist(), "high": high.tolist(), "parts": parts}


def _arm(env: Any, controller: Any) -> dict[str, Any]:
    name = str(controller.name)
    check_controller(name)
    for parameter, supported in _UNSUPPORTED.items():
        value = getattr(controller, parameter, supported)
        if value is not supported and value != supported:
            raise FreezeError(f"{name} with {parameter}={value!r} cannot be frozen; only {supported!r} can")
    common = {
        "type": name,
        "joints": [env.sim.model.joint_id2name(index) for index in controller.joint_index],
        **{limit: _list(getattr(controller, limit)) for limit in ("input_min", "input_max", "output_min", "output_max")},
    }
    if name in ("OSC_POSE", "OSC_POSITION"):
        return {
            **common,
            "site": controller.ref_name,
            "base_site": f"{controller.naming_prefix}{controller.part_name}_center",
            "kp": _list(controller.kp),
            "kd": _list(controller.kd),
            "input_type": controller.input_type,
            "input_ref_frame": controller.input_ref_frame,
            "uncouple_pos_ori": bool(controller.uncoupling),
        }
    return {
        **common,
        "kp": _list(controller.kp),
        "kd": _list(controller.kd),
        "input_type": controller.input_type,
        "torque_compensation": bool(controller.use_torque_compensation),
    }


def _gripper(robot: Any, part: str, controller: Any) -> dict[str, Any]:
    if type(controller).__name__ != "SimpleGripController" or not controller.use_action_scaling:
        raise FreezeError(f"the gripper controller {type(controller).__name__} cannot be frozen")
    return {
        "type": "GRIP",
        **grip_commands(robot.composite_controller.grippers[part], len(controller.joint_index)),
        **{limit: _list(getattr(controller, limit)) for limit in ("input_min", "input_max", "output_min", "output_max")},
        "control_range": [_list(controller.actuator_min), _list(controller.actuator_max)],
    }


def arm_controller(env: Any) -> Any:
    robot = env.robots[0]
    return robot.composite_controller.part_controllers[robot.arms[0]]


def _list(values: Any) -> list[float]:
    return [float(value) for value in np.asarray(values, dtype=np.float64).ravel()]
