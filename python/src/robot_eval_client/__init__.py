"""Connects a robot policy to robot-eval.

::

    from robot_eval_client import Policy, serve

    class MyPolicy(Policy):
        sensors = ["rgb", "instruction"]

        def act(self, observation):
            return "move_forward"

    serve(MyPolicy(), port=8000)
"""

from .client import connect, connect_async
from .dialect_server import DialectServer
from .episode import Episode
from .errors import ActionError, EvaluatorError, PolicyDefinitionError, RobotEvalError
from .observation import Observation
from .policy import Action, Chunk, Policy
from .server import PolicyServer
from .serving import serve, serve_async
from .summary import EvaluationSummary
from .version import PROTOCOL_VERSION, __version__

__all__ = [
    "Action",
    "ActionError",
    "Chunk",
    "DialectServer",
    "Episode",
    "EvaluationSummary",
    "EvaluatorError",
    "Observation",
    "Policy",
    "PolicyDefinitionError",
    "PolicyServer",
    "PROTOCOL_VERSION",
    "RobotEvalError",
    "__version__",
    "connect",
    "connect_async",
    "serve",
    "serve_async",
]
