"""Error classes, by cause."""

from __future__ import annotations


class RobotEvalError(Exception):
    """Base class of this package's errors."""


class PolicyDefinitionError(RobotEvalError, ValueError):
    """A policy or its declarations are invalid. Raised before any connection is opened."""


class ActionError(RobotEvalError, ValueError):
    """A policy returned something other than an action. The evaluator receives it as a `policy_error`."""


class BadMessage(RobotEvalError, ValueError):
    """A received message is invalid. It is answered with `error`, and the connection stays open."""

    def __init__(self, text: str, code: str = "bad_message", re_seq: int | None = None) -> None:
        super().__init__(text)
        self.code = code
        self.re_seq = re_seq


class EvaluatorError(RobotEvalError):
    """The evaluator rejected the policy: wrong token, missing sensor, convention mismatch or busy."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(f"{code}: {text}")
        self.code = code
