"""Graceful shutdown on Ctrl-C and SIGTERM."""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from collections.abc import Callable, Coroutine
from typing import Any


def run_until_signal(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Runs `work` to completion, or cancels it at the first signal and waits for its clean-up."""
    asyncio.run(_run(work))


async def _run(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    loop = asyncio.get_running_loop()
    task = asyncio.ensure_future(work())
    stopped = False

    def stop() -> None:
        nonlocal stopped
        stopped = True
        task.cancel()

    handled: list[signal.Signals] = []
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, stop)
            handled.append(number)
        except (NotImplementedError, RuntimeError, ValueError):
            # On Windows or outside the main thread, Ctrl-C raises KeyboardInterrupt instead.
            pass
    try:
        await task
    except asyncio.CancelledError:
        if not stopped:
            raise
    finally:
        for number in handled:
            loop.remove_signal_handler(number)


def wait_for_signal() -> None:
    """Returns at Ctrl-C or SIGTERM."""
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.default_int_handler)
    try:
        while True:
            time.sleep(3600)
    except KeyboardInterrupt:
        pass
