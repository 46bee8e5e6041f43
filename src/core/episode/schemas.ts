import { z } from "zod";
import { DataError, show } from "../errors.js";
import {
  numberListSchema,
  numberRowsSchema,
  quatXyzwSchema,
  vec3ListSchema,
  vec3Schema,
} from "./number-lists.js";

const startState = z.looseObject({
  position: vec3Schema.optional(),
  rotation: quatXyzwSchema.optional(),
  node: z.string().optional(),
  base_pose: vec3Schema.optional(),
  joint_positions: numberListSchema.optional(),
});

const goals = z.looseObject({
  position: vec3Schema.optional(),
  positions: vec3ListSchema.optional(),
  view_points: vec3ListSchema.optional(),
  node: z.string().optional(),
  nodes: z.array(z.string()).optional(),
  radius: z.number().nonnegative().nullish(),
});

const instruction = z.looseObject({
  text: z.string().optional(),
  tokens: numberListSchema.optional(),
});

const referenceData = z.looseObject({
  path: vec3ListSchema.optional(),
  nodes: z.array(z.string()).optional(),
  dense_path: vec3ListSchema.optional(),
  trajectory: z
    .looseObject({
      qpos: numberRowsSchema.optional(),
      ee_pose: numberRowsSchema.optional(),
      actions: numberRowsSchema.optional(),
    })
    .optional(),
});

const simParams = z.looseObject({
  max_steps: z.number().int().positive().optional(),
  timeout: z.number().positive().optional(),
  time_step: z.number().positive().optional(),
});

/** The wire and disk form of an episode. Its objects may have further fields. */
const episodeSchema = z.object({
  episode_id: z.string().min(1),
  task_type: z.string().min(1),
  scene_id: z.string().min(1),
  start_state: startState.default({}),
  goals: goals.default({}),
  instruction: instruction.default({}),
  reference_data: referenceData.nullable().default(null),
  task_config: z.record(z.string(), z.unknown()).default({}),
  sim_params: simParams.default({}),
});

export type EpisodeDict = z.output<typeof episodeSchema>;
export type StartState = Readonly<EpisodeDict["start_state"]>;
export type Goals = Readonly<EpisodeDict["goals"]>;
export type Instruction = Readonly<EpisodeDict["instruction"]>;
export type ReferenceData = Readonly<NonNullable<EpisodeDict["reference_data"]>>;
export type SimParams = Readonly<EpisodeDict["sim_params"]>;

/** Parses an episode, or throws a DataError that names the episode, the field, its value and what is valid. */
export function parseEpisode(raw: unknown, where?: string): EpisodeDict {
  const result = episodeSchema.safeParse(raw);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const path = issue?.path.map(String) ?? [];
  const id =
    typeof raw === "object" && raw !== null && "episode_id" in raw ? raw.episode_id : undefined;
  const episode = typeof id === "string" ? `episode ${id}, ` : "";
  throw new DataError(
    "bad_episode",
    `${episode}${path.length > 0 ? path.join(".") : "episode"}: ${issue?.message ?? "not an episode"}, got ${show(valueAt(raw, path))}`,
    { where },
  );
}

/** The value at a path of keys and indices; undefined if there is none. */
export function valueAt(raw: unknown, path: readonly string[]): unknown {
  let value = raw;
  for (const key of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return value;
}
