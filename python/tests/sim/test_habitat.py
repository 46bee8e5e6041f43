"""The parts of the Habitat adapter that do not require Habitat."""

from __future__ import annotations

import pytest

from robot_eval_client.sim import EpisodeError
from robot_eval_client.sim.adapters.habitat_env import habitat_env, same_scene


@pytest.mark.parametrize(
    "wanted",
    ["", "data/scene_datasets/mp3d/17DR/17DR.glb", "mp3d/17DR/17DR.glb", "/mnt/scenes/mp3d/17DR/17DR.glb", "17DR.glb", "17DR"],
)
def test_a_scene_id_matches_in_any_scenes_folder(wanted: str) -> None:
    assert same_scene(wanted, "/mnt/scenes/mp3d/17DR/17DR.glb")


@pytest.mark.parametrize("wanted", ["17D", "7DR.glb", "mp3d", "gibson/17DR/17DR.glb", "DR/17DR.glb"])
def test_a_partial_name_does_not_match_a_scene(wanted: str) -> None:
    assert not same_scene(wanted, "/mnt/scenes/mp3d/17DR/17DR.glb")


def test_unknown_env_keys_are_rejected_before_habitat_is_imported() -> None:
    with pytest.raises(EpisodeError, match="scene"):
        habitat_env()({"env": {"name": "pointnav.yaml", "scene": "17DR"}})
