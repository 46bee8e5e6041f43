import { readdir } from "node:fs/promises";
import { dirname } from "node:path";
import { DataError } from "../../core/errors.js";
import { isRecord } from "../../core/record.js";
import type { DataPlace } from "../check.js";
import { describe } from "../check.js";
import { hasKeys } from "../json.js";
import { streamMembers } from "../json-stream.js";
import { type ImportedEpisode, type ResultsFormat, UNKNOWN_SCENE } from "./format.js";
import { ended } from "./judge.js";
import { metricsOf, stepsOf, successName, successOf, wrong } from "./values.js";

const DEFAULT_TASK = "vln";

/** What Habitat's measures are told by. */
const TELLTALES = ["success", "spl", "distance_to_goal"];

/**
 * Per-episode results as Habitat-Lab and VLN-CE write them, `stats_ep_*.json`:
 * `{"<episode id>": {success, spl, distance_to_goal, ndtw, ...}}`.
 *
 * Traps: the file names no scenes, so intervals of means cannot take account of them. VLN-CE's
 * `collisions` is a share of the steps, not a count. `stats_ckpt_*.json` beside it has only the means.
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

/** Recognised too, so that it is called by its name and not just unknown. */
function isAggregate(head: Readonly<Record<string, unknown>>): boolean {
  const values = Object.values(head);
  return (
    values.length > 0 &&
    values.every((value) => typeof value === "number") &&
    TELLTALES.some((name) => Object.hasOwn(head, name)) &&
    !Object.hasOwn(head, "episode_id")
  );
}

function episodeOf(id: string, raw: unknown, path: string, task: string): ImportedEpisode {
  const at: DataPlace = { file: path, item: JSON.stringify(id), subject: `episode ${id}` };
  if (!isRecord(raw)) {
    throw new DataError("bad_result", `${at.subject}: expected measures, got ${describe(raw)}`, {
      where: `${at.file}, ${at.item}`,
    });
  }
  const success = successName(Object.keys(raw));
  if (success === undefined) {
    throw wrong(at, "success", "1 or 0", undefined, {
      hint: `it has ${Object.keys(raw).join(", ")}; without success there is no outcome`,
    });
  }
  const { scene_id } = raw;
  const steps = raw.steps_taken ?? raw.num_steps;
  return ended({
    episodeId: id,
    sceneId: typeof scene_id === "string" && scene_id !== "" ? scene_id : UNKNOWN_SCENE,
    task,
    taskType: DEFAULT_TASK,
    success: successOf(raw[success], at, success),
    metrics: metricsOf(raw, at, new Set([success, "scene_id", "episode_id"])),
    // Averages over repeats leave fractions, which are a metric but no count.
    steps: Number.isInteger(steps) ? stepsOf(steps, at, "steps_taken") : undefined,
    where: `${at.file}, ${at.item}`,
  });
}

async function onlyMeans(path: string): Promise<DataError> {
  const names = await readdir(dirname(path)).catch(() => []);
  const beside = names.filter((name) => /stats_ep.*\.json/.test(name)).sort();
  const where = beside.length > 0 ? `beside it: ${beside.slice(0, 5).join(", ")}` : "";
  return new DataError(
    "only_means",
    "this file has only the means over all episodes, from which no interval can be made",
    {
      where: path,
      hint: `give the results by episode, stats_ep_*.json${where === "" ? "" : `; ${where}`}`,
    },
  );
}
