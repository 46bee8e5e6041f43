"""What robosuite's environments say in code only: success, instruction, objects, and policies that solve them.

Success conditions are rules of robot-eval. `robot-eval parity` compares them with `_check_success` at every recorded step.
"""

from __future__ import annotations

from collections.abc import Mapping

from .door import DOOR
from .lift import LIFT
from .nut_assembly import NUT_ASSEMBLY_SQUARE
from .pick_place import PICK_PLACE_CAN
from .stack import STACK
from .task import RobosuiteTask

TASKS: Mapping[str, RobosuiteTask] = {
    "Lift": LIFT,
    "Stack": STACK,
    "PickPlaceCan": PICK_PLACE_CAN,
    "NutAssemblySquare": NUT_ASSEMBLY_SQUARE,
    "Door": DOOR,
}
