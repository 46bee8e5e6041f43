import { gunzipSync } from "node:zlib";
import { z } from "zod";
import { DataError, errorMessage } from "../../core/errors.js";
import { type FrozenWorld, readChecked } from "./world-files.js";

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

const rolloutsSchema = z.looseObject({
  format: z.literal("robot-eval-parity/1"),
  rollouts: z.array(rolloutSchema).min(1),
});

/** What the original did in one episode. */
export type Rollout = z.output<typeof rolloutSchema>;

/** Unpacked size. 500 rollouts of 200 steps take about 100 MB. */
const MOST_BYTES = 2 ** 29;

/** The rollouts of the original that belong to a world. @throws DataError if they are damaged or cut off */
export async function readRollouts({
  path,
  description,
}: FrozenWorld): Promise<readonly Rollout[]> {
  const { file, sha256 } = description.parity;
  const packed = await readChecked(path, file, sha256);
  const where = `${file} of ${path}`;
  const problem = (text: string, cause?: unknown) =>
    new DataError("bad_rollouts", text, {
      where,
      hint: "write the world again with python -m robot_eval_client.freeze",
      cause,
    });
  let raw: unknown;
  try {
    raw = JSON.parse(gunzipSync(packed, { maxOutputLength: MOST_BYTES }).toString());
  } catch (error) {
    throw problem(`cannot read the rollouts of the original: ${errorMessage(error)}`, error);
  }
  const result = rolloutsSchema.safeParse(raw);
  if (!result.success) {
    const issue = result.error.issues[0];
    throw problem(`${issue?.path.join(".") ?? "the rollouts"}: ${issue?.message ?? "invalid"}`);
  }
  for (const { episode_id, actions, qpos, ee_pos, success } of result.data.rollouts) {
    const states = actions.length + 1;
    if ([qpos, ee_pos, success].every(({ length }) => length === states)) continue;
    throw problem(
      `the rollout of episode ${episode_id} has ${actions.length} actions, and ${qpos.length} positions, ${ee_pos.length} end-effector positions and ${success.length} success flags instead of ${states}`,
    );
  }
  return result.data.rollouts;
}
