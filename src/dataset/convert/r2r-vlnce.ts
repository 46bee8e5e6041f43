import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import type { BaseEpisode } from "../../core/episode/base.js";
import { ConfigError, DataError } from "../../core/errors.js";
import { r2rVlnceFormat } from "../formats/r2r-vlnce.js";
import type { Drops } from "./drops.js";
import { writeSynced } from "./staging.js";
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

  checkOut(out) {
    if (/\.json(\.gz)?$/.test(out)) return;
    throw new ConfigError("bad_out", "an R2R-CE file's name ends in .json or .json.gz", {
      where: out,
    });
  },

  // Both ways of writing the ground truth: one that is left from before would be read with the new file.
  paths: (out) => [out, truthPath(out), truthPath(otherEnding(out))],

  async write(episodes, folder, { out, drops, note }) {
    const lines: string[] = [];
    const truths: string[] = [];
    const ids = new Set<string>();
    let hasTokens = false;
    for await (const episode of episodes) {
      checkEpisode(episode, ids, out);
      lines.push(JSON.stringify(entryOf(episode, drops)));
      const truth = truthOf(episode, drops);
      hasTokens ||= episode.instruction.tokens !== undefined;
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
    if (hasTokens)
      note("instruction_vocab is empty: episodes have their tokens, not the word list");
    const file = join(folder, basename(out));
    if (whole) await writePacked(truthPath(file), `{\n${truths.join(",\n")}\n}\n`);
    // VLN-CE's loader does not do without the vocabulary's key.
    const vocabulary = `"instruction_vocab": {"word_list": []}`;
    await writePacked(file, `{"episodes": [\n${lines.join(",\n")}\n],\n${vocabulary}}\n`);
  },
};

function truthPath(out: string): string {
  return out.replace(/\.json(\.gz)?$/, "_gt.json$1");
}

function otherEnding(out: string): string {
  return out.endsWith(".gz") ? out.slice(0, -".gz".length) : `${out}.gz`;
}

function checkEpisode(episode: BaseEpisode, ids: Set<string>, out: string): void {
  const { episodeId: id, startState, instruction } = episode;
  const refuse = (problem: string, hint: string) =>
    new DataError("not_convertible", `episode ${id} (${episode.taskType}) ${problem}`, {
      where: out,
      hint,
    });
  if (isManipulation(episode)) {
    throw refuse(
      "is manipulation, and r2r-vlnce holds navigation with instructions",
      "valid for manipulation: native, and lerobot where there is a reference trajectory",
    );
  }
  const lacking = !startState.position
    ? "start_state.position"
    : !startState.rotation
      ? "start_state.rotation"
      : instruction.text === undefined
        ? "instruction.text"
        : undefined;
  if (lacking !== undefined) {
    throw refuse(`has no ${lacking}, which R2R-CE files must have`, "native holds such episodes");
  }
  if (ids.has(id)) {
    throw refuse(
      "occurs in two scenes, and R2R-CE files name an episode by its id alone",
      "convert the scenes one by one, or give the episodes ids of their own",
    );
  }
  ids.add(id);
}

function isManipulation({ startState, goals, referenceData }: BaseEpisode): boolean {
  return (
    startState.joint_positions !== undefined ||
    startState.base_pose !== undefined ||
    goals.target_object !== undefined ||
    referenceData?.trajectory !== undefined
  );
}

function entryOf(episode: BaseEpisode, drops: Drops): Readonly<Record<string, unknown>> {
  const { startState, goals, instruction, referenceData, taskConfig, simParams } = episode;
  const { geodesic_distance: distance } = taskConfig;
  const known = typeof distance === "number" && Number.isFinite(distance);
  if (episode.taskType !== "vln") drops.add("task_type", "an R2R-CE file's episodes are vln");
  drops.addOthers("start_state", startState, ["position", "rotation"], NO_PLACE);
  drops.addOthers("goals", goals, ["position", "positions", "radius"], NO_PLACE);
  drops.addOthers("instruction", instruction, ["text", "tokens"], NO_PLACE);
  // What becomes of dense paths is `truthOf`'s to say.
  drops.addOthers("reference_data", referenceData, ["path", "dense_path"], NO_PLACE);
  const held = ["trajectory_id", "scene_dataset_config", "gt_actions"];
  drops.addOthers(
    "task_config",
    taskConfig,
    known ? [...held, "geodesic_distance"] : held,
    NO_PLACE,
  );
  drops.addOthers("sim_params", simParams, [], NO_PLACE);
  return {
    episode_id: numberOf(episode.episodeId),
    // VLN-CE wants one; episodes of one trajectory are its several instructions.
    trajectory_id: taskConfig.trajectory_id ?? numberOf(episode.episodeId),
    scene_id: episode.sceneId,
    scene_dataset_config: taskConfig.scene_dataset_config,
    start_position: startState.position,
    start_rotation: startState.rotation,
    info: known ? { geodesic_distance: distance } : {},
    goals: goalsOf(goals),
    instruction: { instruction_text: instruction.text, instruction_tokens: instruction.tokens },
    reference_path: referenceData?.path,
  };
}

/** Published ids are numbers; one that a number would not bring back stays a text. */
function numberOf(id: string): number | string {
  const number = Number(id);
  return Number.isSafeInteger(number) && String(number) === id ? number : id;
}

function goalsOf({
  position,
  positions,
  radius,
}: BaseEpisode["goals"]): readonly unknown[] | undefined {
  const all = positions && positions.length > 0 ? positions : position ? [position] : [];
  return all.length > 0 ? all.map((one) => ({ position: one, radius })) : undefined;
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

async function writePacked(path: string, text: string): Promise<void> {
  await writeSynced(path, path.endsWith(".gz") ? gzipSync(text, { level: 9 }) : text);
}
