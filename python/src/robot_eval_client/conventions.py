"""Names for what two sides must agree on and cannot see: silent differences here cost most points.

The evaluator compares what a policy declares with what the task says, and stops the run at a difference.
"""

from __future__ import annotations

import difflib
import logging
from collections.abc import Mapping

from .errors import PolicyDefinitionError

Convention = str | float | bool

_log = logging.getLogger("robot_eval_client")

#: The words that a name takes; None: any number.
KNOWN: Mapping[str, tuple[str, ...] | None] = {
    "action_space": ("discrete", "continuous", "hybrid"),
    "action_dim": None,
    "control_mode": ("joint_position", "joint_delta", "ee_delta_pose"),
    "action_kind": ("absolute", "delta"),
    "quaternion_order": ("wxyz", "xyzw"),
    "gripper_open": None,
    "gripper_closed": None,
    "image_layout": ("hwc", "chw"),
    "image_origin": ("top_left", "bottom_left"),
    "color_order": ("rgb", "bgr"),
    "depth_unit": ("m", "mm"),
    "control_hz": None,
}


def check_conventions(declared: object, where: str) -> dict[str, Convention]:
    """What a policy declared, as it may be sent.

    A name that nobody knows is warned of and sent: an evaluator's plugin may know it. A misspelt one would
    otherwise never be compared, which is the mistake that this table is there to prevent.
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
        hint = f"; did you mean {near[0]!r}?" if near else f"; known are {', '.join(KNOWN)}"
        _log.warning("%s.conventions names %r, which no task of robot-eval compares%s", where, name, hint)
        return
    words = KNOWN[name]
    if words is None:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise PolicyDefinitionError(f"{where}.conventions[{name!r}] is {value!r}; it must be a number")
    elif value not in words:
        raise PolicyDefinitionError(
            f"{where}.conventions[{name!r}] is {value!r}; it must be one of {', '.join(words)}"
        )
