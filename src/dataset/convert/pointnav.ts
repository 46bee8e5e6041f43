import { basename, join } from "node:path";
import type { BaseEpisode } from "../../core/episode/base.js";
import { pointNavFormat } from "../formats/pointnav.js";
import type { Drops } from "./drops.js";
import {
  checkJsonName,
  infoOf,
  NavigationChecker,
  pointGoalsOf,
  startEntryOf,
  writePacked,
} from "./habitat.js";
import type { ConvertTarget } from "./target.js";

const NOT_STORED = "PointNav files cannot store it";

/** Habitat's PointNav format, with all scenes in one file; Habitat's ImageNav reads the same files. */
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
  const info = infoOf(episode, "geodesic_distance", "difficulty");
  if (episode.taskType !== "image_nav") {
    drops.add("task_type", "episodes of a PointNav file are read as image_nav");
  }
  const places = { info, goals: ["position", "positions", "radius"], why: NOT_STORED };
  return startEntryOf(episode, places, drops);
}
