"""Lets robot-eval use a simulator that is written in Python.

::

    import gymnasium
    from robot_eval_client.sim import serve_env

    serve_env(lambda: gymnasium.make("Pendulum-v1"))
"""

from .adapter import Frame, SimAdapter
from .errors import EpisodeError, SimulatorError
from .server import SimServer
from .serving import serve_env

__all__ = ["EpisodeError", "Frame", "SimAdapter", "SimServer", "SimulatorError", "serve_env"]
