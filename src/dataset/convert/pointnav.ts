import { basename, join } from "node:path";
import type { BaseEpisode } from "../../core/episode/base.js";
import { pointNavFormat } from "../formats/pointnav.js";
import type { Drops } from "./drops.js";
import { checkJsonName, infoOf, NavigationChecker, pointGoalsOf, writePacked } from "./habitat.js";
import type { ConvertTarget } from "./target.js";

const NO_PLACE = "PointNav files have no place for it";

/** Habitat's PointNav, one file of all scenes, which its ImageNav reads as well. */
export const pointNavTarget: ConvertTarget = {
  name: pointNavFormat.name,
  description: "Habitat PointNav episodes, which ImageNav uses too",
  kind: "file",

  checkOut: (out) => checkJsonName(out, "a PointNav"),

  paths: (out) => [out],

  async write(episodes, folder, { out, drops }) {
    const lines: string[] = [];
    const checker = new NavigationChecker("pointnav", "PointNav file", "navigation to points", out);
    for await (const episode of episodes) {
      const goals = pointGoalsOf(episode.goals);
      checker.check(episode, goals === undefined ? "goals.position" : undefined);
      lines.push(JSON.stringify({ ...entryOf(episode, drops), goals, shortest_paths: null }));
    }
    await writePacked(join(folder, basename(out)), `{"episodes": [\n${lines.join(",\n")}\n]}\n`);
  },
};

function entryOf(episode: BaseEpisode, drops: Drops): Readonly<Record<string, unknown>> {
  const { startState, goals, instruction, referenceData, taskConfig, simParams } = episode;
  const info = infoOf(episode, "geodesic_distance", "difficulty");
  if (episode.taskType !== "image_nav") {
    drops.add("task_type", "a PointNav file's episodes are read as image_nav");
  }
  drops.addOthers("start_state", startState, ["position", "rotation"], NO_PLACE);
  drops.addOthers("goals", goals, ["position", "positions", "radius"], NO_PLACE);
  drops.addOthers("instruction", instruction, [], NO_PLACE);
  drops.addOthers("reference_data", referenceData, [], NO_PLACE);
  const held = ["scene_dataset_config", ...Object.keys(info)];
  drops.addOthers("task_config", taskConfig, held, NO_PLACE);
  drops.addOthers("sim_params", simParams, [], NO_PLACE);
  return {
    episode_id: episode.episodeId,
    scene_id: episode.sceneId,
    scene_dataset_config: taskConfig.scene_dataset_config,
    start_position: startState.position,
    start_rotation: startState.rotation,
    info,
  };
}
