"""`python -m robot_eval_client.freeze robosuite Lift -n 50 --out lift`: writes worlds that run without Python."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

from . import FreezeError
from .folder import FrozenFolder
from .frames import use_renderer
from .original import FreezeOptions, Original, Suite
from .suites import SUITES, suite_named
from .world import freeze_world


def main(arguments: list[str] | None = None) -> None:
    options = _parser().parse_args(arguments)
    # Not "worlds": the evaluator looks for the folder in its working directory first.
    folder = FrozenFolder(options.out / f"{options.out.resolve().name}.worlds")
    suite, opened = suite_named(options.suite), {"suite": options.suite, "seed": options.seed}
    opened |= {name: value for name in ("controller", "robot") if (value := getattr(options, name)) is not None}
    settings = FreezeOptions(
        *(options.n, options.rollouts, options.steps, options.seed, options.controller, options.robot, options.demonstrations, options.frames)
    )
    try:
        if options.frames:
            use_renderer()
        failed = _freeze(suite, folder, options.environments, settings, opened)
    except FreezeError as error:
        sys.exit(f"error: {error}")
    except ImportError as error:
        sys.exit(f"error: {error}; install what the suite needs into this Python: pip install {suite.packages}")
    benchmark = options.out / "benchmark.yaml"
    folder.write_benchmark(benchmark)
    folder.write_original(options.out / "original.yaml")
    print(f"{options.out}: {folder.size_bytes() / 2**20:.1f} MiB; next: robot-eval parity {benchmark}")
    missing = sorted({file for world in folder.worlds() for file in world.get("missing_files", ())})
    if missing:
        print("pictures are not those of the original, because its installation lacks these files:", *missing, sep="\n  ")
    if failed:
        sys.exit(f"error: {len(failed)} worlds were not written: {', '.join(failed)}")


def _freeze(suite: Suite, folder: FrozenFolder, environments: list[str], options: FreezeOptions, opened: dict[str, Any]) -> list[str]:
    """Returns the worlds that cannot be frozen. The others of a suite, which take hours, are written nevertheless."""
    failed = []
    for world, environment in suite.worlds(environments, options).items():
        if folder.has(world):
            print(f"{world}: already there; delete {world}.world.json to write it again", flush=True)
            continue
        started = time.monotonic()
        try:
            _write(suite.open(environment, options), world, folder, options, {"name": environment, **opened})
        except FreezeError as error:
            print(f"{world}: {error}", file=sys.stderr, flush=True)
            failed.append(world)
            continue
        print(f"{world}: {options.episodes} episodes, {options.rollouts} rollouts in {time.monotonic() - started:.0f} s", flush=True)
    return failed


def _write(original: Original, world: str, folder: FrozenFolder, options: FreezeOptions, env: dict[str, Any]) -> None:
    try:
        freeze_world(original, world, folder, options, env)
    finally:
        original.close()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m robot_eval_client.freeze",
        description="Writes worlds of a Python benchmark, with episodes and rollouts of the original, as files that "
        "robot-eval plays without Python. Worlds that are already in the folder are left as they are.",
        epilog="example: python -m robot_eval_client.freeze robosuite Lift -n 50 --out lift",
    )
    parser.add_argument("suite", choices=SUITES)
    parser.add_argument("environments", nargs="+", metavar="environment", help="such as Lift")
    parser.add_argument("-n", type=_positive, default=50, help="episodes per world (50)")
    parser.add_argument("--out", type=Path, required=True, help="the folder to write")
    parser.add_argument("--controller", help="controller of the arm, such as OSC_POSE; the default is the suite's")
    parser.add_argument("--robot", help="a robot of robosuite with one arm (Panda)")
    parser.add_argument("--rollouts", type=_positive, default=10, help="rollouts of the original to compare with (10)")
    parser.add_argument("--steps", type=_positive, default=200, help="control steps per rollout (200)")
    parser.add_argument("--demonstrations", type=Path, metavar="FILE", help="HDF5 file of robosuite or robomimic; adds an episode for each")
    parser.add_argument("--frames", action="store_true", help="add frames of all cameras at some steps, drawn by MuJoCo with OSMesa")
    parser.add_argument("--seed", type=int, default=0)
    return parser


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return value


if __name__ == "__main__":
    main()
