"""What can go wrong, by whose fault it is."""

from __future__ import annotations


class RobotEvalError(Exception):
    """The base of all errors that this package raises on purpose."""


class PolicyDefinitionError(RobotEvalError, ValueError):
    """A policy, or what it declares, cannot be served: told before anything listens or dials."""


class ActionError(RobotEvalError, ValueError):
    """What a policy returned is no action. The evaluator gets it as a `policy_error`."""


class BadMessage(RobotEvalError, ValueError):
    """Something received that cannot be used. It is answered with `error` and the connection stays."""

    def __init__(self, text: str, code: str = "bad_message", re_seq: int | None = None) -> None:
        super().__init__(text)
        self.code = code
        self.re_seq = re_seq


class EvaluatorError(RobotEvalError):
    """The evaluator refused the policy: wrong token, missing sensor, other conventions, busy."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(f"{code}: {text}")
        self.code = code
