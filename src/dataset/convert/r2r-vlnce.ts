import { basename, join } from "node:path";
import type { BaseEpisode } from "../../core/episode/base.js";
import { r2rVlnceFormat } from "../formats/r2r-vlnce.js";
import type { Drops } from "./drops.js";
import {
  checkJsonName,
  infoOf,
  NavigationChecker,
  numberOf,
  pointGoalsOf,
  writePacked,
} from "./habitat.js";
import type { ConvertTarget } from "./target.js";

/** Action names by their number in a ground-truth file. */
const ACTIONS = ["stop", "move_forward", "turn_left", "turn_right"];
const NOT_STORED = "R2R-CE files cannot store it";

/**
 * R2R in continuous environments, as VLN-CE's loader reads it. Dense paths go into `{split}_gt.json.gz`
 * beside the file, which must contain all episodes or none.
 */
export const r2rVlnceTarget: ConvertTarget = {
  name: r2rVlnceFormat.name,
  description: "R2R-CE episodes; dense paths go into {split}_gt beside the file",
  kind: "file",

  checkOut: (out) => checkJsonName(out, "an R2R-CE"),

  // Both names of the ground-truth file, because a leftover one would be read with the new dataset.
  paths: (out) => [out, truthPath(out), truthPath(otherEnding(out))],

  async write(episodes, folder, { out, drops, note, vocabulary }) {
    const lines: string[] = [];
    const truths: string[] = [];
    const checker = new NavigationChecker(
      "r2r-vlnce",
      "R2R-CE file",
      "navigation with instructions",
      out,
    );
    let hasTokens = false;
    for await (const episode of episodes) {
      const { text, tokens } = episode.instruction;
      checker.check(episode, text === undefined ? "instruction.text" : undefined);
      checker.checkId(episode);
      lines.push(JSON.stringify(entryOf(episode, drops)));
      const truth = truthOf(episode, drops);
      hasTokens ||= tokens !== undefined;
      if (truth) truths.push(`${JSON.stringify(episode.episodeId)}: ${JSON.stringify(truth)}`);
    }
    const whole = truths.length === lines.length;
    if (!whole && truths.length > 0) {
      drops.addFor(
        truths.length,
        "reference_data.dense_path",
        "a ground-truth file must have all episodes, but some have no dense path",
      );
    }
    if (hasTokens && !vocabulary)
      note("instruction_vocab is empty: episodes have their tokens, not the word list");
    const file = join(folder, basename(out));
    if (whole) await writePacked(truthPath(file), `{\n${truths.join(",\n")}\n}\n`);
    // VLN-CE's loader requires this key.
    const words = `"instruction_vocab": ${JSON.stringify({ word_list: vocabulary ?? [] })}`;
    await writePacked(file, `{"episodes": [\n${lines.join(",\n")}\n],\n${words}}\n`);
  },
};

function truthPath(out: string): string {
  return out.replace(/\.json(\.gz)?$/, "_gt.json$1");
}

function otherEnding(out: string): string {
  return out.endsWith(".gz") ? out.slice(0, -".gz".length) : `${out}.gz`;
}

function entryOf(episode: BaseEpisode, drops: Drops): Readonly<Record<string, unknown>> {
  const { startState, goals, instruction, referenceData, taskConfig, simParams } = episode;
  const info = infoOf(episode, "geodesic_distance");
  if (episode.taskType !== "vln") drops.add("task_type", "all episodes of an R2R-CE file are vln");
  drops.addOthers("start_state", startState, ["position", "rotation"], NOT_STORED);
  drops.addOthers("goals", goals, ["position", "positions", "radius"], NOT_STORED);
  drops.addOthers("instruction", instruction, ["text", "tokens"], NOT_STORED);
  // `truthOf` handles dense paths.
  drops.addOthers("reference_data", referenceData, ["path", "dense_path"], NOT_STORED);
  const held = ["trajectory_id", "scene_dataset_config", "gt_actions", ...Object.keys(info)];
  drops.addOthers("task_config", taskConfig, held, NOT_STORED);
  drops.addOthers("sim_params", simParams, [], NOT_STORED);
  return {
    episode_id: numberOf(episode.episodeId),
    // VLN-CE requires this field. Episodes with the same trajectory id are its alternative instructions.
    trajectory_id: taskConfig.trajectory_id ?? numberOf(episode.episodeId),
    scene_id: episode.sceneId,
    scene_dataset_config: taskConfig.scene_dataset_config,
    start_position: startState.position,
    start_rotation: startState.rotation,
    info,
    goals: pointGoalsOf(goals),
    instruction: { instruction_text: instruction.text, instruction_tokens: instruction.tokens },
    reference_path: referenceData?.path,
  };
}

function truthOf(
  { referenceData, taskConfig }: BaseEpisode,
  drops: Drops,
): Readonly<Record<string, unknown>> | undefined {
  const { gt_actions: actions } = taskConfig;
  const locations = referenceData?.dense_path;
  if (!locations || locations.length === 0) {
    if (actions !== undefined) {
      drops.add("task_config.gt_actions", "they require a dense path, which is missing");
    }
    return undefined;
  }
  const numbers = Array.isArray(actions) ? actions.map((action) => ACTIONS.indexOf(action)) : [];
  if (!numbers.includes(-1)) return { locations, actions: numbers };
  drops.add("task_config.gt_actions", `R2R-CE supports only ${ACTIONS.join(", ")}`);
  return { locations, actions: [] };
}
