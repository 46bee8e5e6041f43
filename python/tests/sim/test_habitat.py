"""What of the adapter to Habitat needs no Habitat."""

from __future__ import annotations

import pytest

from robot_eval_client.sim import EpisodeError
from robot_eval_client.sim.adapters.habitat_env import habitat_env, same_scene


@pytest.mark.parametrize(
    "wanted",
    ["", "data/scene_datasets/mp3d/17DR/17DR.glb", "mp3d/17DR/17DR.glb", "/mnt/scenes/mp3d/17DR/17DR.glb", "17DR.glb", "17DR"],
)
def test_a_scene_is_known_wherever_its_files_are(wanted: str) -> None:
    assert same_scene(wanted, "/mnt/scenes/mp3d/17DR/17DR.glb")


@pytest.mark.parametrize("wanted", ["17D", "7DR.glb", "mp3d", "gibson/17DR/17DR.glb", "DR/17DR.glb"])
def test_a_part_of_a_name_is_no_scene(wanted: str) -> None:
    assert not same_scene(wanted, "/mnt/scenes/mp3d/17DR/17DR.glb")


def test_what_no_configuration_takes_is_refused_before_habitat_is_looked_for() -> None:
    with pytest.raises(EpisodeError, match="scene"):
        habitat_env()({"env": {"name": "pointnav.yaml", "scene": "17DR"}})
