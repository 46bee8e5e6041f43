"""Reads run directories of robot-eval, for notebooks and scripts.

    from robot_eval_client import runs

    run = runs.load("runs/20260101T120000Z-vln-challenge-random")
    run.episodes.groupby("scene_id")["success"].mean()

A run directory may come from somebody else. It is only read as data: nothing in it is executed or unpickled, no link is
followed, no file outside of it is opened, and sizes are limited.
"""

from .errors import RunError
from .film import read_film
from .run import Run, load
from .trajectory import Trajectory

__all__ = ["Run", "RunError", "Trajectory", "load", "read_film"]
