"""The controllers of robosuite 1.4 as data. Those of 1.5 differ:

- 1.4 passes `mj_forward` before each physics step twice, once in its loop and once when the controller reads the state;
- a new goal keeps the rotation of the last one while the action does not turn, and OSC_POSITION holds a rotation of its own;
- the gripper's command moves in every physics step instead of every control step;
- after a reset the controller keeps what it read at its creation. So in the first physics step it computes with the state
  at that time: of the arm, but before fingers and objects were placed, or before LIBERO set the initial state.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import FreezeError
from .control import CONTROLLERS as CONTROLLERS_1_5
from .control import check_controller
from .grip import grip_commands

CONTROLLERS = (*CONTROLLERS_1_5, "JOINT_VELOCITY")
#: When the controller reads the state; `control.order` of the description.
ORDER = "forward_forward_step"
#: Parameters that robot-eval computes without; their values must be these.
_SUPPORTED = {
    "impedance_mode": "fixed",
    "interpolator": None,
    "interpolator_pos": None,
    "interpolator_ori": None,
    "position_limits": None,
    "orientation_limits": None,
    "use_delta": True,
}
#: The rotation that OSC_POSITION holds: the hand points down.
_DOWN = [0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, -1.0]


def action_of(env: Any) -> dict[str, Any]:
    """The layout of the action vector: the arm first, then the gripper."""
    if len(env.robots) != 1 or type(env.robots[0]).__name__ != "SingleArm":
        raise FreezeError("only worlds with one robot with one arm can be frozen; use the bridge for this one")
    robot = env.robots[0]
    low, high = env.action_spec
    names = env.sim.model.actuator_id2name
    arm = {
        "start": 0,
        "end": int(robot.controller.control_dim),
        "actuators": [names(index) for index in robot._ref_joint_actuator_indexes],
        **_arm(robot, robot.controller),
    }
    return {"low": low.tolist(), "high": high.tolist(), "parts": [arm, _gripper(env, robot, arm["end"])]}


def _arm(robot: Any, controller: Any) -> dict[str, Any]:
    name = str(controller.name)
    check_controller(name, CONTROLLERS)
    for parameter, supported in _SUPPORTED.items():
        value = getattr(controller, parameter, supported)
        if value is not supported and value != supported:
            raise FreezeError(f"{name} with {parameter}={value!r} cannot be frozen; only {supported!r} can")
    common = {
        "type": name,
        "joints": list(robot.robot_joints),
        **{limit: _list(getattr(controller, limit)) for limit in ("input_min", "input_max", "output_min", "output_max")},
        "kp": _list(controller.kp),
        "kd": _list(controller.kd),
    }
    if name in ("OSC_POSE", "OSC_POSITION"):
        return {
            **common,
            "input_type": "delta",
            "site": controller.eef_name,
            "base_site": controller.eef_name,
            "input_ref_frame": "world",
            "uncouple_pos_ori": bool(controller.uncoupling),
            **({"keeps_rotation": True} if name == "OSC_POSE" else {"holds_rotation": _DOWN}),
        }
    if name == "JOINT_POSITION":
        return {**common, "input_type": "delta", "torque_compensation": True}
    count = len(common["joints"])
    limits = {} if controller.velocity_limits is None else {"velocity_limits": _limits(controller.velocity_limits, count)}
    return {**common, "ki": _list(controller.ki), **limits, "torque_limits": _limits(controller.actuator_limits, count)}


def _gripper(env: Any, robot: Any, start: int) -> dict[str, Any]:
    gripper = robot.gripper
    commands = grip_commands(gripper, gripper.dof)
    limits = env.sim.model.actuator_ctrlrange[[env.sim.model.actuator_name2id(name) for name in gripper.actuators]]
    ones = [1.0] * len(commands["steps"])
    return {
        "type": "GRIP",
        "start": start,
        "end": start + 1,
        "actuators": list(gripper.actuators),
        "every": "physics_step",
        **commands,
        **{limit: [-one for one in ones] for limit in ("input_min", "output_min")},
        **{limit: ones for limit in ("input_max", "output_max")},
        "control_range": [_list(limits[:, 0]), _list(limits[:, 1])],
    }


def first_step(env: Any, action: Sequence[float]) -> dict[str, Any]:
    """What the controller of the arm computes in the first physics step. Changes the state, which is to be set again."""
    robot = env.robots[0]
    env.sim.forward()
    robot.control(np.asarray(action, dtype=np.float64), policy_step=True)
    return {
        "torques": _list(robot.torques),
        "goal_position": _list(robot.controller.goal_pos),
        "goal_rotation": _list(robot.controller.goal_ori),
    }


def _limits(limits: Sequence[Any], count: int) -> list[list[float]]:
    """Lowest and highest values, of which there may be one for all joints."""
    return [_list(np.broadcast_to(limit, count)) for limit in limits]


def _list(values: Any) -> list[float]:
    return [float(value) for value in np.asarray(values, dtype=np.float64).ravel()]
