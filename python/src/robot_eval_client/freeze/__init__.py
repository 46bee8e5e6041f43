"""Writes worlds of a Python benchmark as files that robot-eval plays without Python.

    python -m robot_eval_client.freeze robosuite Lift -n 50 --out lift
"""

from __future__ import annotations


class FreezeError(Exception):
    """The world has something that the file format cannot express, or the original disagrees with the files."""
