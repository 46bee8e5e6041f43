"""`serve_env`: a program that is a simulator's server and nothing else."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable

from ..settings import DEFAULT_MAX_SIZE
from ..signals import wait_for_signal
from .server import SimServer
from .success import Rule

#: Set by an evaluator that starts the process and holds its standard input open for as long as it lives.
SUPERVISED = "ROBOT_EVAL_SIM_SUPERVISED"


def serve_env(
    make_env: Callable[..., object],
    port: int = 0,
    host: str = "127.0.0.1",
    *,
    token: str | None = None,
    max_sessions: int = 1,
    success: Rule = "info",
    fresh: bool = False,
    max_size: int | None = DEFAULT_MAX_SIZE,
) -> None:
    """Lets an evaluator dial the worlds that `make_env` makes, until Ctrl-C or SIGTERM.

    make_env      a function of the task, ``{"name", "type", "config", "env"}``, or of nothing, that returns a
                  Gymnasium environment or a `SimAdapter`; called again when an episode's `env` is another
    port          0 lets the system choose; the first line on standard output says which it is
    host          "127.0.0.1" lets this machine in alone, "0.0.0.0" others too
    token         what an evaluator must say to be let in
    max_sessions  worlds side by side in this process, each with a connection and a thread of its own
    success       when a Gymnasium environment has succeeded: "info" (its own info["success"] or info["is_success"]),
                  "terminated", "truncated", "reward>=X", "return>=X", or a function of a `Moment`
    fresh         make a Gymnasium environment anew for each episode, for one whose reset(seed=...) leaves traces
    max_size      bytes of the largest message that is read; None: any
    """
    if os.environ.get(SUPERVISED) == "1":
        threading.Thread(target=_end_with_stdin, name="robot-eval-stdin", daemon=True).start()
    server = SimServer(
        make_env,
        port=port,
        host=host,
        token=token,
        max_sessions=max_sessions,
        success=success,
        fresh=fresh,
        max_size=max_size,
    )
    with server:
        line = json.dumps({"robot_eval_sim": {"port": server.port, "pid": os.getpid()}})
        # One write, so that a program that reads the line gets all of it at once.
        print(line + "\n", end="", flush=True)
        wait_for_signal()


def _end_with_stdin() -> None:
    """No simulator outlives its evaluator, not even one that hangs in native code or whose evaluator was killed."""
    try:
        # Not through `sys.stdin`, whose lock a thread that waits here would hold at the interpreter's end.
        while os.read(0, 4096):
            pass
    except OSError:
        pass
    os._exit(0)
