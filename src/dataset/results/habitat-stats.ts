import { readdir } from "node:fs/promises";
import { dirname } from "node:path";
import { DataError } from "../../core/errors.js";
import { isRecord } from "../../core/record.js";
import { type DataLocation, describe, errorAt, whereOf } from "../check.js";
import { hasKeys } from "../readers/json.js";
import { streamMembers } from "../readers/json-stream.js";
import { type ImportedEpisode, type ResultsFormat, UNKNOWN_SCENE } from "./format.js";
import { completed } from "./judge.js";
import { metricsOf, stepsOf, successName, successOf, wrong } from "./values.js";

const DEFAULT_TASK = "vln";

/** Measures that identify Habitat's results. */
const IDENTIFYING_MEASURES = ["success", "spl", "distance_to_goal"];

/**
 * Per-episode results of Habitat-Lab and VLN-CE, `stats_ep_*.json`: `{"<episode id>": {success, spl,
 * distance_to_goal, ndtw, ...}}`.
 *
 * Limitations: the file does not name scenes, so confidence intervals cannot account for them. VLN-CE's
 * `collisions` is a fraction of the steps, not a count. `stats_ckpt_*.json` beside it contains only the
 * means.
 */
export const habitatStats: ResultsFormat = {
  name: "habitat-stats",
  description: "Habitat and VLN-CE results by episode: stats_ep_*.json",

  detect: ({ head }) => {
    if (!isRecord(head)) return false;
    const [first] = Object.values(head);
    return isMeasures(first) || isAggregate(head);
  },

  async *read(path, options) {
    let first = true;
    for await (const [id, raw] of streamMembers(path, "results by episode id")) {
      if (first && typeof raw === "number") throw await onlyMeans(path);
      first = false;
      yield episodeOf(id, raw, path, options.task ?? DEFAULT_TASK);
    }
  },
};

function isMeasures(value: unknown): boolean {
  return (
    isRecord(value) &&
    successName(Object.keys(value)) !== undefined &&
    !hasKeys(value, "episode_id", "task")
  );
}

/** Also recognised, so that the error can explain what the file is. */
function isAggregate(head: Readonly<Record<string, unknown>>): boolean {
  const values = Object.values(head);
  return (
    values.length > 0 &&
    values.every((value) => typeof value === "number") &&
    IDENTIFYING_MEASURES.some((name) => Object.hasOwn(head, name)) &&
    !Object.hasOwn(head, "episode_id")
  );
}

function episodeOf(id: string, raw: unknown, path: string, task: string): ImportedEpisode {
  const at: DataLocation = { file: path, item: JSON.stringify(id), subject: `episode ${id}` };
  if (!isRecord(raw)) {
    throw errorAt(at, "bad_result", `expected measures, got ${describe(raw)}`);
  }
  const success = successName(Object.keys(raw));
  if (success === undefined) {
    const hint = `add success, which determines the outcome; the entry has ${Object.keys(raw).join(", ")}`;
    throw wrong(at, "success", "1 or 0", undefined, hint);
  }
  const { scene_id } = raw;
  const steps = raw.steps_taken ?? raw.num_steps;
  return completed({
    episodeId: id,
    sceneId: typeof scene_id === "string" && scene_id !== "" ? scene_id : UNKNOWN_SCENE,
    task,
    taskType: DEFAULT_TASK,
    success: successOf(raw[success], at, success),
    metrics: metricsOf(raw, at, new Set([success, "scene_id", "episode_id"])),
    // Averages over repetitions are fractions, which are a metric but not a count.
    steps: Number.isInteger(steps) ? stepsOf(steps, at, "steps_taken") : undefined,
    where: whereOf(at),
  });
}

async function onlyMeans(path: string): Promise<DataError> {
  const names = await readdir(dirname(path)).catch(() => []);
  const beside = names.filter((name) => /stats_ep.*\.json/.test(name)).sort();
  const where = beside.length > 0 ? `beside it: ${beside.slice(0, 5).join(", ")}` : "";
  return new DataError(
    "only_means",
    "this file has only the means over all episodes, from which no confidence interval can be computed",
    {
      where: path,
      hint: `pass the per-episode results, stats_ep_*.json${where === "" ? "" : `; ${where}`}`,
    },
  );
}
