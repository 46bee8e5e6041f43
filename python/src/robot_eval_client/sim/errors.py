"""What can go wrong with a world, by whose fault it is. An unusable action is the package's `ActionError`."""

from __future__ import annotations

from ..errors import RobotEvalError


class EpisodeError(RobotEvalError, ValueError):
    """This episode cannot be had here: no such world, task or initial state. Others can."""


class SimulatorError(RobotEvalError, RuntimeError):
    """The simulator cannot do what was asked of it, whatever the episode."""
