"""Environments of robosuite 1.4 and 1.5 with one arm."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError

from .. import FreezeError
from ..model_text import versions
from ..original import FreezeOptions, Original, Suite
from ..shims import apply_shims
from .control import CONTROLLERS, check_controller
from .control_1_4 import CONTROLLERS as CONTROLLERS_1_4
from .task_original import CONTROLLER, ROBOT, TaskOriginal
from .tasks import TASKS
from .version_1_4 import TaskOriginal14


class RobosuiteSuite(Suite):
    packages = "robosuite==1.5.2 'mujoco==3.14.*'"

    def worlds(self, environments: Sequence[str], options: FreezeOptions) -> Mapping[str, str]:
        for name in environments:
            if name not in TASKS:
                raise FreezeError(f"the success rule of {name!r} is not known; use one of {', '.join(sorted(TASKS))}, or the bridge")
        check_controller(options.controller or CONTROLLER, CONTROLLERS_1_4 if _is_1_4(_version()) else CONTROLLERS)
        changes = [(options.robot, ROBOT), (options.controller, CONTROLLER)]
        suffix = "".join(f"-{value}" for value, default in changes if value not in (None, default))
        return {f"{name}{suffix}": name for name in environments}

    def open(self, environment: str, options: FreezeOptions) -> Original:
        version = _version()
        shims = apply_shims()
        logging.getLogger("robosuite_logs").setLevel(logging.ERROR)
        if version.startswith("1.5."):
            return TaskOriginal(environment, options, shims)
        if _is_1_4(version):
            return TaskOriginal14(environment, options, shims)
        raise FreezeError(f"robosuite {version} cannot be frozen; install robosuite==1.5.2 or robosuite==1.4.1")


def _version() -> str:
    try:
        return versions("robosuite")["robosuite"]
    except PackageNotFoundError as error:
        raise ImportError("robosuite is not installed") from error


def _is_1_4(version: str) -> bool:
    return version.startswith("1.4.")


SUITE = RobosuiteSuite()
