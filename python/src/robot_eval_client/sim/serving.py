"""`serve_env`: runs a simulator server until it is interrupted."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..signals import wait_for_signal
from .server import SimOptions, SimServer

if TYPE_CHECKING:
    from typing_extensions import Unpack

#: Set by an evaluator that starts this process and keeps its standard input open while it runs.
SUPERVISED = "ROBOT_EVAL_SIM_SUPERVISED"


def serve_env(
    make_env: Callable[..., object], port: int = 0, host: str = "127.0.0.1", **options: Unpack[SimOptions]
) -> None:
    """Serves the environments that `make_env` creates to evaluators until Ctrl-C or SIGTERM.

    make_env      a function of the task, ``{"name", "type", "config", "env"}``, or without arguments, that returns a
                  Gymnasium environment or a `SimAdapter`; called again when an episode has another `env`
    port          0 chooses a free port; the first line on standard output names it
    host          "127.0.0.1" accepts connections only from this machine, "0.0.0.0" from others too
    token         a secret that evaluators must send
    max_sessions  concurrent environments in this process, each with its own connection and thread
    success       when a Gymnasium environment has succeeded: "info" (info["success"] or info["is_success"]),
                  "terminated", "truncated", "reward>=X", "return>=X", or a function of a `Moment`
    fresh         create a new Gymnasium environment for each episode, if its reset(seed=...) does not reset everything
    max_size      maximum size of a message in bytes; None: unlimited
    """
    if os.environ.get(SUPERVISED) == "1":
        threading.Thread(target=_end_with_stdin, name="robot-eval-stdin", daemon=True).start()
    with SimServer(make_env, port=port, host=host, **options) as server:
        line = json.dumps({"robot_eval_sim": {"port": server.port, "pid": os.getpid()}})
        # One write, so that a program that reads the line receives it whole.
        print(line + "\n", end="", flush=True)
        wait_for_signal()


def _end_with_stdin() -> None:
    """Exits when standard input closes, so that no simulator outlives its evaluator, even if it hangs in native code."""
    try:
        # `os.read` instead of `sys.stdin`, whose lock would block the interpreter's shutdown.
        while os.read(0, 4096):
            pass
    except OSError:
        pass
    os._exit(0)
