import { z } from "zod";
import { numberListSchema, vec3ListSchema } from "../../core/episode/number-lists.js";
import type { Vec3 } from "../../core/math/vec3.js";
import { check, type DataLocation, errorAt } from "../check.js";
import type { DatasetSource } from "../format.js";
import { streamMembers } from "../readers/json-stream.js";
import { exists } from "../source.js";

/** Actions by their number in the file: forward is 0.25 m, a turn 15 degrees in R2R-CE and 30 in RxR-CE. */
const ACTIONS = ["stop", "move_forward", "turn_left", "turn_right"] as const;

interface Answer {
  readonly locations: readonly Vec3[];
  /** The number of actions differs from that of locations. */
  readonly actions: readonly string[];
}

const answerSchema = z.looseObject({
  locations: vec3ListSchema.refine((list) => list.length > 0, "expected at least one location"),
  actions: numberListSchema.default([]),
});

/** The expert's actions: `{"<episode_id>": {locations, actions}}`. */
export class GroundTruth {
  constructor(
    readonly file: string,
    private readonly entries: ReadonlyMap<string, unknown>,
  ) {}

  get(episodeId: string): Answer | undefined {
    if (!this.entries.has(episodeId)) return undefined;
    const at: DataLocation = {
      file: this.file,
      item: JSON.stringify(episodeId),
      subject: `episode ${episodeId}`,
    };
    const { locations, actions } = check(answerSchema, this.entries.get(episodeId), at);
    return { locations, actions: actions.map((action, i) => actionOf(action, i, at)) };
  }
}

/** Reads the named file, or else the one beside the dataset; undefined if there is neither. */
export async function readGroundTruth(source: DatasetSource): Promise<GroundTruth | undefined> {
  const file = source.gtPath ?? (await companionFile(source.path));
  if (file === undefined) return undefined;
  const entries = new Map<string, unknown>();
  for await (const [id, answer] of streamMembers(file, "ground truth by episode id")) {
    entries.set(id, answer);
  }
  return new GroundTruth(file, entries);
}

/** Finds `val_seen_gt.json.gz` for `val_seen.json.gz`; either may be uncompressed. */
async function companionFile(path: string): Promise<string | undefined> {
  const stem = path.replace(/\.json(\.gz)?$/, "");
  if (stem === path) return undefined;
  for (const candidate of [`${stem}_gt.json.gz`, `${stem}_gt.json`]) {
    if (await exists(candidate)) return candidate;
  }
  return undefined;
}

function actionOf(action: number, i: number, at: DataLocation): string {
  const name = ACTIONS[action];
  if (name !== undefined) return name;
  throw errorAt(at, "bad_episode", `${action} is not an action`, {
    field: `actions[${i}]`,
    hint: `valid: ${ACTIONS.map((known, number) => `${number} ${known}`).join(", ")}`,
  });
}
