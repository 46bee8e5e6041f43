"""`serve`: a program that is a policy's server and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from .codec import ENCODINGS
from .server import PolicyServer
from .settings import DEFAULT_MAX_SIZE
from .signals import run_until_signal


async def serve_async(policy: object, port: int = 8000, host: str = "0.0.0.0", **options: Any) -> None:
    """`serve` in a running event loop; cancel it to stop. The options are those of `PolicyServer`."""
    async with PolicyServer(policy, port=port, host=host, **options) as server:
        # One write, so that a program that reads the line gets all of it at once.
        line = (
            f"{server.declaration.name} listens on {host}:{server.port}; evaluate it with: "
            f"robot-eval run <benchmark.yaml> --agent {server.url}\n"
        )
        print(line, end="", flush=True)
        await asyncio.get_running_loop().create_future()


def serve(
    policy: object,
    port: int = 8000,
    host: str = "0.0.0.0",
    *,
    token: str | None = None,
    sessions: int | None = None,
    max_batch: int | None = None,
    encodings: Sequence[str] = ENCODINGS,
    grace: float = 30.0,
    max_size: int | None = DEFAULT_MAX_SIZE,
) -> None:
    """Lets evaluators dial this policy, until Ctrl-C or SIGTERM.

    policy     an object (one session at a time, or many with `act_batch`), or a class or function that makes objects
               (one for each session)
    host       "0.0.0.0" lets other machines in, "127.0.0.1" this one alone
    token      what an evaluator must say to be let in
    sessions   the most sessions side by side, over all connections; 16 unless said
    max_batch  the most observations that `act_batch` gets at once
    encodings  the forms of messages offered, "msgpack" and "json"
    grace      seconds that an evaluator has to come back after a cut
    max_size   bytes of the largest message that is read; None: any
    """
    run_until_signal(
        lambda: serve_async(
            policy,
            port,
            host,
            token=token,
            sessions=sessions,
            max_batch=max_batch,
            encodings=encodings,
            grace=grace,
            max_size=max_size,
        )
    )
