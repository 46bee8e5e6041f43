"""Runs one environment in its own thread and answers requests.

An environment is created, stepped and closed in the same thread, because OpenGL contexts belong to a thread and a slow
reset must not block the answers to pings. The thread is a daemon, so that a simulator that hangs cannot keep the
process from exiting.
"""

from __future__ import annotations

import logging
import queue
import threading
from typing import Any

from ..episode import Episode
from ..errors import ActionError
from .actions import checked_action
from .adapter import Frame, SimAdapter
from .adapters.gymnasium_env import GymnasiumAdapter, is_gymnasium
from .choice import MakeEnv, chosen_task, key_of
from .errors import EpisodeError, SimulatorError
from .geometry import packed_geometry
from .messages import (
    Connect,
    Geometry,
    Request,
    Reset,
    Step,
    connected_message,
    error_message,
    frame_message,
    geometry_message,
)
from .success import Rule
from .values import not_finite, wire_value, without_non_finite
from .session import SimSession

_log = logging.getLogger("robot_eval_client")

_CLOSE_TIMEOUT_S = 5.0

#: Defaults of an adapter's capabilities.
_DEFAULTS: dict[str, Any] = {
    "families": ["manipulation"],
    "deterministic": True,
    "state_hash": False,
    "geometry": False,
}


class EnvWorker:
    """Serves one session at a time in its own thread."""

    def __init__(self, make: MakeEnv, max_sessions: int, *, success: Rule = "info", fresh: bool = False) -> None:
        self._make = make
        self._success = success
        self._fresh = fresh
        self._max_sessions = max_sessions
        self._adapter: SimAdapter | None = None
        self._key: str | None = None
        self._wanted: frozenset[str] | None = None
        self._connect_task: dict[str, Any] = {}
        self._action_space: dict[str, Any] = {}
        self._in_episode = False
        self._sessions: queue.SimpleQueue[SimSession | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="robot-eval-env", daemon=True)
        self._thread.start()

    def serve(self, session: SimSession) -> None:
        """Queues a session; it starts when the earlier ones are over."""
        self._sessions.put(session)

    def stop(self) -> None:
        """Closes the environment after the last session."""
        self._sessions.put(None)

    def join(self) -> None:
        """Waits until a stopped worker ends; one that hangs is abandoned."""
        self._thread.join(_CLOSE_TIMEOUT_S)

    def _run(self) -> None:
        while (session := self._sessions.get()) is not None:
            try:
                while (request := session.next_request()) is not None:
                    session.reply(self._answer(request))
            except Exception:
                # Errors of the environment are sent as answers, so this is an error of the connection.
                _log.exception("a connection failed")
        self._close_adapter()

    def _answer(self, request: Request) -> dict[str, Any]:
        # If `connect` fails, the session cannot continue.
        fatal = isinstance(request, Connect)
        try:
            return self._do(request)
        except ActionError as error:
            return error_message(request.seq, "bad_action", str(error), "agent")
        except EpisodeError as error:
            return error_message(request.seq, "bad_episode", str(error), "data", fatal=fatal)
        except Exception as error:
            _log.exception("the simulator failed")
            # The environment's state is unknown, so the next reset creates a new one.
            self._close_adapter()
            text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            return error_message(request.seq, "simulator_error", text, "platform", fatal=fatal)

    def _do(self, request: Request) -> dict[str, Any]:
        if isinstance(request, Step):
            if self._adapter is None or not self._in_episode:
                raise SimulatorError("step without a running episode: send reset first")
            action = checked_action(request.action, self._action_space)
            return self._frame(request.seq, self._adapter.step(action))
        if isinstance(request, Reset):
            self._in_episode = False
            episode = Episode(request.episode)
            task = chosen_task({**self._connect_task, **request.task}, episode)
            return self._frame(request.seq, self._adapter_for(task).reset(episode, request.seed, task))
        if isinstance(request, Geometry):
            return geometry_message(request.seq, self._geometry(request.known))
        return self._connect(request)

    def _connect(self, request: Connect) -> dict[str, Any]:
        if request.sensors != self._wanted:
            # The rendered sensors are fixed when an environment is created.
            self._close_adapter()
        self._wanted = request.sensors
        self._connect_task = request.task
        self._in_episode = False
        adapter = self._adapter_for(chosen_task({"sensor_config": request.sensor_config, **request.task}))
        capabilities = {**_DEFAULTS, **adapter.capabilities(), "max_sessions": self._max_sessions}
        simulator = capabilities.pop("simulator", {"name": type(adapter).__name__, "version": "unknown"})
        return connected_message(request.seq, simulator, wire_value(capabilities))

    def _geometry(self, known: frozenset[str]) -> dict[str, Any] | None:
        try:
            geometry = None if self._adapter is None else self._adapter.geometry()
            return None if geometry is None else packed_geometry(geometry, known)
        except Exception as error:
            _log.exception("the scene's geometry cannot be read")
            # The environment itself still works, so this is not a SimulatorError.
            raise EpisodeError(f"the scene's geometry cannot be read: {type(error).__name__}: {error}") from error

    def _adapter_for(self, task: dict[str, Any]) -> SimAdapter:
        key = key_of(task)
        if self._adapter is None or key != self._key:
            self._close_adapter()
            made = self._make(task)
            if is_gymnasium(made):
                made = GymnasiumAdapter(lambda: self._make(task), made, success=self._success, fresh=self._fresh)
            if not isinstance(made, SimAdapter):
                raise SimulatorError(f"make_env returned {type(made).__name__}; it must return a Gymnasium Env or a SimAdapter")
            made.wanted = self._wanted
            self._adapter, self._key = made, key
            self._action_space = made.capabilities()["action_space"]
        return self._adapter

    def _frame(self, seq: int | None, frame: Frame) -> dict[str, Any]:
        frame.state = wire_value(frame.state)
        frame.observation = wire_value(frame.observation)
        frame.info = None if frame.info is None else wire_value(frame.info)
        bad = not_finite(frame.state)
        if bad is not None:
            frame.state = without_non_finite(frame.state)
            frame.state.setdefault("error", f"the physics diverged: {bad} is not finite")
        if "error" in frame.state:
            frame.state["success"] = False
            frame.done = True
        frame.state["done"] = frame.done
        self._in_episode = not frame.done
        return frame_message(seq, frame)

    def _close_adapter(self) -> None:
        adapter, self._adapter, self._key = self._adapter, None, None
        self._in_episode = False
        if adapter is not None:
            try:
                adapter.close()
            except Exception:
                _log.exception("closing the simulator failed")
