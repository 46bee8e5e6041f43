"""Errors of simulators, by cause. An invalid action raises the package's `ActionError`."""

from __future__ import annotations

from ..errors import RobotEvalError


class EpisodeError(RobotEvalError, ValueError):
    """This episode cannot be run: its environment, task or initial state does not exist. Others can."""


class SimulatorError(RobotEvalError, RuntimeError):
    """The simulator cannot handle the request, independent of the episode."""
