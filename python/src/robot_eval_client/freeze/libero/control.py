"""The controllers of robosuite 1.4 as data. Those of 1.5 differ:

- 1.4 passes `mj_forward` before each physics step twice, once in its loop and once when the controller reads the state;
- a new goal keeps the rotation of the last one while the action does not turn;
- the gripper's command moves in every physics step instead of every control step;
- after a reset the controller keeps what it read at its creation. So in the first physics step it computes with the state
  before LIBERO set the initial one, and its first goal is that pose of the hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import FreezeError

#: Parameters that robot-eval computes without; their values must be these.
_SUPPORTED = {
    "impedance_mode": "fixed",
    "interpolator_pos": None,
    "interpolator_ori": None,
    "position_limits": None,
    "orientation_limits": None,
    "use_delta": True,
}


def action_of(env: Any) -> dict[str, Any]:
    """The layout of the action vector: the arm first, then the gripper."""
    robot = env.robots[0]
    controller = robot.controller
    if len(env.robots) != 1 or controller.name != "OSC_POSE":
        raise FreezeError(f"only one robot with OSC_POSE can be frozen, not {controller.name}")
    for parameter, supported in _SUPPORTED.items():
        value = getattr(controller, parameter)
        if value is not supported and value != supported:
            raise FreezeError(f"{controller.name} with {parameter}={value!r} cannot be frozen; only {supported!r} can")
    low, high = env.action_spec
    names = env.sim.model.actuator_id2name
    arm = {
        "type": "OSC_POSE",
        "start": 0,
        "end": int(controller.control_dim),
        "actuators": [names(index) for index in robot._ref_joint_actuator_indexes],
        "joints": list(robot.robot_joints),
        **{limit: _list(getattr(controller, limit)) for limit in ("input_min", "input_max", "output_min", "output_max")},
        "site": controller.eef_name,
        "base_site": controller.eef_name,
        "kp": _list(controller.kp),
        "kd": _list(controller.kd),
        "input_type": "delta",
        "input_ref_frame": "world",
        "uncouple_pos_ori": bool(controller.uncoupling),
        "keeps_rotation": True,
    }
    return {"low": low.tolist(), "high": high.tolist(), "parts": [arm, _gripper(env, robot, arm["end"])]}


def _gripper(env: Any, robot: Any, start: int) -> dict[str, Any]:
    """The gripper's own formula, measured: the command moves by `speed` in the direction of the action's sign."""
    gripper = robot.gripper
    kept = gripper.current_action
    try:
        gripper.current_action = np.zeros(gripper.dof)
        once = np.array(gripper.format_action(np.ones(gripper.dof)))
        twice = np.array(gripper.format_action(np.full(gripper.dof, 0.5)))
    finally:
        gripper.current_action = kept
    if gripper.dof != 1 or not np.allclose(twice, np.clip(2 * once, -1, 1)) or not np.all(once):
        raise FreezeError(f"the gripper {type(gripper).__name__} does not move by the sign of one action; it cannot be frozen")
    limits = env.sim.model.actuator_ctrlrange[[env.sim.model.actuator_name2id(name) for name in gripper.actuators]]
    ones = np.ones(len(once))
    return {
        "type": "GRIP",
        "start": start,
        "end": start + 1,
        "actuators": list(gripper.actuators),
        "every": "physics_step",
        "steps": once.tolist(),
        "initial": np.broadcast_to(np.asarray(kept, dtype=np.float64), once.shape).tolist(),
        **{limit: (-ones).tolist() for limit in ("input_min", "output_min")},
        **{limit: ones.tolist() for limit in ("input_max", "output_max")},
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


def _list(values: Any) -> list[float]:
    return [float(value) for value in np.asarray(values, dtype=np.float64).ravel()]
