import { z } from "zod";
import { DataError, show } from "../errors.js";

const finite = z.number();
export const vec3Schema = z.tuple([finite, finite, finite]).readonly();
/** [x, y, z, w], of length 1 within what single precision leaves of it. */
export const quatXyzwSchema = z
  .tuple([finite, finite, finite, finite], {
    error: (issue) =>
      Array.isArray(issue.input) && issue.input.length !== 4
        ? "a rotation is a quaternion of four numbers, [x, y, z, w]"
        : undefined,
  })
  .refine((q) => Math.abs(Math.hypot(...q) - 1) < 1e-2, {
    message: "a rotation quaternion [x, y, z, w] has length 1",
  })
  .readonly();

const startState = z.looseObject({
  position: vec3Schema.optional(),
  rotation: quatXyzwSchema.optional(),
  node: z.string().optional(),
  base_pose: vec3Schema.optional(),
  joint_positions: z.array(finite).optional(),
});

const goals = z.looseObject({
  position: vec3Schema.optional(),
  positions: z.array(vec3Schema).optional(),
  view_points: z.array(vec3Schema).optional(),
  node: z.string().optional(),
  nodes: z.array(z.string()).optional(),
  radius: z.number().nonnegative().nullish(),
});

const instruction = z.looseObject({
  text: z.string().optional(),
  tokens: z.array(z.number()).optional(),
});

const referenceData = z.looseObject({
  path: z.array(vec3Schema).optional(),
  nodes: z.array(z.string()).optional(),
  dense_path: z.array(vec3Schema).optional(),
  trajectory: z
    .looseObject({
      qpos: z.array(z.array(finite)).optional(),
      ee_pose: z.array(z.array(finite)).optional(),
      actions: z.array(z.array(finite)).optional(),
    })
    .optional(),
});

const simParams = z.looseObject({
  max_steps: z.number().int().positive().optional(),
  timeout: z.number().positive().optional(),
  time_step: z.number().positive().optional(),
});

/** An episode as it stands on disk and on the wire. Its records may hold more than is named here. */
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

/** Parses or throws a DataError that names episode, field, value and expectation. */
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

function valueAt(raw: unknown, path: readonly string[]): unknown {
  let value = raw;
  for (const key of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return value;
}
