import { z } from "zod";
import type { FrozenDescription } from "./description.js";
import { badFile, readPacked } from "./packed.js";
import type { FrozenWorld } from "./world-files.js";

const row = z.array(z.number());

const rolloutSchema = z.looseObject({
  episode_id: z.string(),
  /** How the actions were chosen: `random`, `script`, `demonstration`. */
  source: z.string(),
  actions: z.array(row).min(1),
  /** After the reset and after each action, as all lists below. */
  qpos: z.array(row),
  ee_pos: z.array(z.tuple([z.number(), z.number(), z.number()])),
  success: z.array(z.boolean()),
  observations: z.array(z.record(z.string(), row)).optional(),
});

const boundarySchema = z.looseObject({
  episode_id: z.string(),
  /** Which limit of the goal it is close to, and on which side. */
  name: z.string(),
  /** The positions that replace those of the episode's initial state; nothing moves. */
  qpos: row,
  success: z.boolean(),
});

const recordSchema = z.looseObject({
  format: z.literal("robot-eval-parity/1"),
  rollouts: z.array(rolloutSchema).min(1),
  boundaries: z.array(boundarySchema).default([]),
});

/** What the original did in one episode. */
export type Rollout = z.output<typeof rolloutSchema>;
/** A state close to the goal, and the verdict of the original's success check. */
export type BoundaryState = z.output<typeof boundarySchema>;

/** What was recorded in the original of a world. */
export interface OriginalRecord {
  readonly rollouts: readonly Rollout[];
  readonly boundaries: readonly BoundaryState[];
}

/** Reads the record of a world's original. @throws DataError if it is damaged or cut off */
export async function readRecord({ path, description }: FrozenWorld): Promise<OriginalRecord> {
  const { parity } = description;
  const code = "bad_rollouts";
  const content = "the rollouts of the original";
  const record = await readPacked(path, { ...parity, schema: recordSchema, code, content });
  for (const rollout of record.rollouts) {
    const found = problemOf(rollout, description);
    if (found === undefined) continue;
    throw badFile(code, `the rollout of episode ${rollout.episode_id} ${found}`, parity.file, path);
  }
  return record;
}

/** Anything missing would not be compared. */
function problemOf(
  { actions, qpos, ee_pos, success, observations = [] }: Rollout,
  description: FrozenDescription,
): string | undefined {
  const states = actions.length + 1;
  if ([qpos, ee_pos, success].some(({ length }) => length !== states)) {
    return `has ${actions.length} actions, and ${qpos.length} positions, ${ee_pos.length} end-effector positions and ${success.length} success flags instead of ${states}`;
  }
  const dof = description.action.low.length;
  const other = actions.find(({ length }) => length !== dof);
  if (other) return `has an action with ${other.length} numbers instead of ${dof}`;
  if (observations.length === 0) return undefined;
  if (observations.length !== states) {
    return `has ${observations.length} observations instead of ${states}`;
  }
  for (const name of new Set(observations.flatMap(Object.keys))) {
    const step = observations.findIndex((values) => !Object.hasOwn(values, name));
    if (step >= 0) return `has no observation "${name}" at step ${step}, unlike at other steps`;
  }
  return undefined;
}
