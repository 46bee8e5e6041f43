"""`serve`: runs a policy server until it is interrupted."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from .dialect_server import DialectServer
from .options import PolicyOptions
from .server import PolicyServer
from .signals import run_until_signal

if TYPE_CHECKING:
    from typing_extensions import Unpack


async def serve_async(
    policy: object, port: int = 8000, host: str = "0.0.0.0", **options: Unpack[PolicyOptions]
) -> None:
    """`serve` in a running event loop; cancel it to stop. The options are those of `PolicyServer`."""
    kind = PolicyServer if options.get("dialect") is None else DialectServer
    async with kind(policy, port=port, host=host, **options) as server:
        # One write, so that a program that reads the line receives it whole.
        line = (
            f"{server.identity['name']} listens on {host}:{server.port}; evaluate it with: "
            f"robot-eval run <benchmark> --agent {server.agent}\n"
        )
        print(line, end="", flush=True)
        await asyncio.get_running_loop().create_future()


def serve(policy: object, port: int = 8000, host: str = "0.0.0.0", **options: Unpack[PolicyOptions]) -> None:
    """Serves a policy to evaluators until Ctrl-C or SIGTERM.

    policy     an object (one session at a time, or many with `act_batch`), or a class or function that creates objects
               (one per session)
    host       "0.0.0.0" accepts connections from other machines, "127.0.0.1" only from this one
    token      a secret that evaluators must send
    sessions   maximum number of concurrent sessions over all connections; 16 by default
    max_batch  maximum number of observations in one call of `act_batch`
    encodings  the encodings offered, "msgpack" and "json"
    grace      seconds that an evaluator has to reconnect after a lost connection
    max_size   maximum size of a message in bytes; None: unlimited
    name       name of the policy, recorded with each run; its class by default
    version    version of the policy
    checkpoint which weights it runs, so that the results of two checkpoints can be told apart
    metadata   further facts about it: texts, numbers, True and False; in a dialect, what its server sends first
    dialect    serves the clients of another project instead: "openpi", "behavior" or "roboarena"
    """
    run_until_signal(lambda: serve_async(policy, port, host, **options))
