"""`python -m robot_eval_client.sim <adapter>`: serves a simulator's environments to robot-eval."""

from __future__ import annotations

import argparse
import importlib
import json
import logging
import os
import sys
from collections.abc import Callable
from typing import Any

from .serving import serve_env

ADAPTERS = ("gymnasium", "robosuite", "libero", "maniskill", "habitat", "original")


def main(arguments: list[str] | None = None) -> None:
    parser = _parser()
    options = parser.parse_args(arguments)
    logging.basicConfig(level=options.log_level.upper(), format="%(levelname)s %(message)s", stream=sys.stderr)
    try:
        make = _factory(options)
    except (ImportError, AttributeError, ValueError) as error:
        parser.error(str(error))
    serve_env(
        make,
        options.port,
        options.host,
        token=options.token,
        max_sessions=options.sessions,
        success=options.success,
        fresh=options.fresh,
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m robot_eval_client.sim",
        description="Serves a simulator's environments to robot-eval. The `env` of the episode or the task selects the "
        "environment; --env and --arguments are the defaults.",
        epilog="example: python -m robot_eval_client.sim robosuite --env Lift",
    )
    parser.add_argument(
        "adapter", help=f"{', '.join(ADAPTERS)}, or module:function for your own make_env"
    )
    parser.add_argument("--env", help="the environment's name: Pendulum-v1, Lift, libero_spatial, PickCube-v1, a YAML file")
    parser.add_argument("--arguments", type=_json_object, default={}, help='further keys of `env`, as JSON: \'{"robots": "Sawyer"}\'')
    parser.add_argument("--import", dest="imports", action="append", default=[], help="a module that registers environments")
    parser.add_argument("--success", default="info", help="info, terminated, truncated, reward>=X or return>=X (Gymnasium)")
    parser.add_argument("--fresh", action="store_true", help="create a new environment for each episode (Gymnasium)")
    parser.add_argument("--port", type=int, default=0, help="0: any free port; the first line of output names it")
    parser.add_argument("--host", default="127.0.0.1", help="0.0.0.0 accepts connections from other machines")
    parser.add_argument("--token", default=os.environ.get("ROBOT_EVAL_SIM_TOKEN"), help="a secret that evaluators must send")
    parser.add_argument("--sessions", type=int, default=1, help="concurrent environments in this process")
    parser.add_argument("--log-level", default="warning", choices=["debug", "info", "warning", "error"])
    return parser


def _factory(options: argparse.Namespace) -> Callable[[dict[str, Any]], object]:
    for module in options.imports:
        importlib.import_module(module)
    if ":" in options.adapter:
        # Import modules from the working directory.
        sys.path.insert(0, os.getcwd())
        module_name, _, function = options.adapter.partition(":")
        return _with_arguments(getattr(importlib.import_module(module_name), function), options)
    if options.adapter not in ADAPTERS:
        raise ValueError(f"unknown adapter {options.adapter!r}; use one of {', '.join(ADAPTERS)}, or module:function")
    if options.adapter == "gymnasium":
        from .adapters.gymnasium_env import gymnasium_env

        return _with_arguments(gymnasium_env(options.env, options.success, options.fresh), options)
    adapter = importlib.import_module(f".adapters.{options.adapter}_env", __package__)
    return _with_arguments(getattr(adapter, f"{options.adapter}_env")(options.env), options)


def _with_arguments(make: Callable[..., object], options: argparse.Namespace) -> Callable[..., object]:
    """The `env` of the episode takes precedence over --arguments."""
    if not options.arguments:
        return make
    return lambda task: make({**task, "env": {**options.arguments, **task["env"]}})


def _json_object(text: str) -> dict[str, Any]:
    value = json.loads(text)
    if not isinstance(value, dict):
        raise ValueError("not an object")
    return value


if __name__ == "__main__":
    main()
