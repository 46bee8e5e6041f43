"""The thread in which one world lives, and what it answers.

A world is made, stepped and closed in one thread of its own: contexts of OpenGL belong to a thread, and a reset that
takes a minute must not keep anybody from answering pings. The thread is a daemon, so that a simulator that
hangs cannot keep the process from ending.
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
from .visit import Visit

_log = logging.getLogger("robot_eval_client")

_CLOSE_TIMEOUT_S = 5.0

#: What an adapter need not say.
_DEFAULTS: dict[str, Any] = {
    "families": ["manipulation"],
    "deterministic": True,
    "state_hash": False,
    "geometry": False,
}


class World:
    """Answers one visit's requests after the other, in its own thread."""

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
        self._is_playing = False
        self._visits: queue.SimpleQueue[Visit | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="robot-eval-world", daemon=True)
        self._thread.start()

    def receive(self, visit: Visit) -> None:
        """Its turn comes when those before it are over."""
        self._visits.put(visit)

    def stop(self) -> None:
        """The world closes after its last visit."""
        self._visits.put(None)

    def join(self) -> None:
        """Waits for a world that was stopped; one that hangs is left behind."""
        self._thread.join(_CLOSE_TIMEOUT_S)

    def _run(self) -> None:
        while (visit := self._visits.get()) is not None:
            try:
                while (request := visit.next_request()) is not None:
                    visit.reply(self._answer(request))
            except Exception:
                # Of the connection; what comes of the world itself is an answer.
                _log.exception("a connection failed")
        self._drop()

    def _answer(self, request: Request) -> dict[str, Any]:
        # A process whose first answer cannot be given is of no use to who connected.
        fatal = isinstance(request, Connect)
        try:
            return self._do(request)
        except ActionError as error:
            return error_message(request.seq, "bad_action", str(error), "agent")
        except EpisodeError as error:
            return error_message(request.seq, "bad_episode", str(error), "data", fatal=fatal)
        except Exception as error:
            _log.exception("the simulator failed")
            # What state it is in nobody knows: the next reset makes a new one.
            self._drop()
            text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            return error_message(request.seq, "simulator_error", text, "platform", fatal=fatal)

    def _do(self, request: Request) -> dict[str, Any]:
        if isinstance(request, Step):
            if self._adapter is None or not self._is_playing:
                raise SimulatorError("step without an episode that goes on: send reset first")
            action = checked_action(request.action, self._action_space)
            return self._frame(request.seq, self._adapter.step(action))
        if isinstance(request, Reset):
            self._is_playing = False
            episode = Episode(request.episode)
            task = chosen_task({**self._connect_task, **request.task}, episode)
            return self._frame(request.seq, self._adapter_for(task).reset(episode, request.seed, task))
        if isinstance(request, Geometry):
            return geometry_message(request.seq, self._geometry(request.known))
        return self._connect(request)

    def _connect(self, request: Connect) -> dict[str, Any]:
        if request.sensors != self._wanted:
            # What is rendered is settled when a world is made.
            self._drop()
        self._wanted = request.sensors
        self._connect_task = request.task
        self._is_playing = False
        adapter = self._adapter_for(chosen_task({"sensor_config": request.sensor_config, **request.task}))
        capabilities = {**_DEFAULTS, **adapter.capabilities(), "max_sessions": self._max_sessions}
        simulator = capabilities.pop("simulator", {"name": type(adapter).__name__, "version": "unknown"})
        return connected_message(request.seq, simulator, wire_value(capabilities))

    def _geometry(self, known: frozenset[str]) -> dict[str, Any] | None:
        try:
            geometry = None if self._adapter is None else self._adapter.geometry()
            return None if geometry is None else packed_geometry(geometry, known)
        except Exception as error:
            _log.exception("the world's geometry cannot be had")
            # The world is as good as before.
            raise EpisodeError(f"the world's geometry cannot be had: {type(error).__name__}: {error}") from error

    def _adapter_for(self, task: dict[str, Any]) -> SimAdapter:
        key = key_of(task)
        if self._adapter is None or key != self._key:
            self._drop()
            made = self._make(task)
            if is_gymnasium(made):
                made = GymnasiumAdapter(lambda: self._make(task), made, success=self._success, fresh=self._fresh)
            if not isinstance(made, SimAdapter):
                raise SimulatorError(f"make_env returned {type(made).__name__}; it must be a Gymnasium Env or a SimAdapter")
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
        self._is_playing = not frame.done
        return frame_message(seq, frame)

    def _drop(self) -> None:
        adapter, self._adapter, self._key = self._adapter, None, None
        self._is_playing = False
        if adapter is not None:
            try:
                adapter.close()
            except Exception:
                _log.exception("the simulator could not be closed")
