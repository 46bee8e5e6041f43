"""Conventions that policy and task must share. A mismatch raises no error by itself, but ruins the results.

The evaluator compares what a policy declares with the task's conventions and stops the run if they differ.
"""

from __future__ import annotations

import difflib
import logging
from collections.abc import Mapping

from .errors import PolicyDefinitionError

Convention = str | float | bool

_log = logging.getLogger("robot_eval_client")

#: The valid values of each convention; None: any number.
KNOWN: Mapping[str, tuple[Convention, ...] | None] = {
    "action_space": ("discrete", "continuous", "hybrid"),
    "action_dim": None,
    "control_mode": ("joint_position", "joint_delta", "ee_delta_pose", "osc_pose"),
    "action_kind": ("absolute", "delta"),
    "quaternion_order": ("wxyz", "xyzw"),
    "gripper_open": None,
    "gripper_closed": None,
    "image_layout": ("hwc", "chw"),
    "image_origin": ("top_left", "bottom_left"),
    "color_order": ("rgb", "bgr"),
    "depth_unit": ("m", "mm"),
    "control_hz": None,
    # A robot that drives.
    "forward_step_m": None,
    "turn_angle_deg": None,
    "base_velocity": (True, False),
    "base_max_forward_mps": None,
    "base_max_turn_radps": None,
    "ee_pose_frame": ("base",),
    "gps_axes": ("x right, y up, -z ahead of the start pose",),
}


def check_conventions(declared: object, where: str) -> dict[str, Convention]:
    """Checks what a policy declares, and returns it in wire form.

    An unknown name is sent with a warning: a plugin of the evaluator may know it. Without the warning, a misspelt
    name would go unnoticed and never be compared.
    """
    if not isinstance(declared, Mapping):
        raise PolicyDefinitionError(
            f"{where}.conventions is {declared!r}; it must be a dictionary such as {{'action_space': 'discrete'}}"
        )
    checked: dict[str, Convention] = {}
    for name, value in declared.items():
        if not isinstance(name, str):
            raise PolicyDefinitionError(f"{where}.conventions has the name {name!r}; names are strings")
        if not isinstance(value, (str, int, float, bool)):
            raise PolicyDefinitionError(
                f"{where}.conventions[{name!r}] is {value!r}; a convention is a string, a number or a boolean"
            )
        _check_value(name, value, where)
        checked[name] = value
    return checked


def _check_value(name: str, value: Convention, where: str) -> None:
    if name not in KNOWN:
        near = difflib.get_close_matches(name, KNOWN, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else f"; known names: {', '.join(KNOWN)}"
        _log.warning("%s.conventions has the unknown name %r, which robot-eval does not compare%s", where, name, hint)
        return
    valid = KNOWN[name]
    if valid is None:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise PolicyDefinitionError(f"{where}.conventions[{name!r}] is {value!r}; it must be a number")
    elif value not in valid:
        raise PolicyDefinitionError(
            f"{where}.conventions[{name!r}] is {value!r}; it must be one of {', '.join(map(str, valid))}"
        )
