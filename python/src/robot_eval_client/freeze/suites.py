"""The suites that can be frozen. Their modules are imported when they are used, because each needs its own packages."""

from __future__ import annotations

import importlib

from .original import Suite

#: By name: the module that has the suite as `SUITE`.
_MODULES = {
    "libero": "libero.suite",
    "robosuite": "robosuite.suite",
    "gymnasium_robotics": "gymnasium_robotics.suite",
    "metaworld": "metaworld.suite",
}
SUITES = tuple(_MODULES)


def suite_named(name: str) -> Suite:
    suite = importlib.import_module(f".{_MODULES[name]}", __package__).SUITE
    assert isinstance(suite, Suite)
    return suite
