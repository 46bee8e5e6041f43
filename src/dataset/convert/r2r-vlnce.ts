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

/** The numbers that a ground-truth file has for actions. */
const ACTIONS = ["stop", "move_forward", "turn_left", "turn_right"];
const NO_PLACE = "R2R-CE files have no place for it";

/**
 * R2R in continuous environments: what VLN-CE's own loader reads. Dense paths go into `{split}_gt.json.gz`
 * beside the file, which must have one of every episode or none.
 */
export const r2rVlnceTarget: ConvertTarget = {
  name: r2rVlnceFormat.name,
  description: "R2R-CE episodes; dense paths go into {split}_gt beside the file",
  kind: "file",

  checkOut: (out) => checkJsonName(out, "an R2R-CE"),

  // Both ways of writing the ground truth: one that is left from before would be read with the new file.
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
        "a ground-truth file must have all episodes, and some have no dense path",
      );
    }
    if (hasTokens && !vocabulary)
      note("instruction_vocab is empty: episodes have their tokens, not the word list");
    const file = join(folder, basename(out));
    if (whole) await writePacked(truthPath(file), `{\n${truths.join(",\n")}\n}\n`);
    // VLN-CE's loader does not do without the vocabulary's key.
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
  if (episode.taskType !== "vln") drops.add("task_type", "an R2R-CE file's episodes are vln");
  drops.addOthers("start_state", startState, ["position", "rotation"], NO_PLACE);
  drops.addOthers("goals", goals, ["position", "positions", "radius"], NO_PLACE);
  drops.addOthers("instruction", instruction, ["text", "tokens"], NO_PLACE);
  // What becomes of dense paths is `truthOf`'s to say.
  drops.addOthers("reference_data", referenceData, ["path", "dense_path"], NO_PLACE);
  const held = ["trajectory_id", "scene_dataset_config", "gt_actions", ...Object.keys(info)];
  drops.addOthers("task_config", taskConfig, held, NO_PLACE);
  drops.addOthers("sim_params", simParams, [], NO_PLACE);
  return {
    episode_id: numberOf(episode.episodeId),
    // VLN-CE wants one; episodes of one trajectory are its several instructions.
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
      drops.add("task_config.gt_actions", "they stand beside a dense path, and there is none");
    }
    return undefined;
  }
  const numbers = Array.isArray(actions) ? actions.map((action) => ACTIONS.indexOf(action)) : [];
  if (!numbers.includes(-1)) return { locations, actions: numbers };
  drops.add("task_config.gt_actions", `R2R-CE knows only ${ACTIONS.join(", ")}`);
  return { locations, actions: [] };
}
