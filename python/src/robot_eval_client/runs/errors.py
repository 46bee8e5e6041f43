"""The error of this package."""

from __future__ import annotations

from ..errors import RobotEvalError


class RunError(RobotEvalError, ValueError):
    """A run directory is missing, damaged, too large or of an unknown format, or lacks what was asked for."""
