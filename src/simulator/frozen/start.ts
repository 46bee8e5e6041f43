import { z } from "zod";
import type { BaseEpisode } from "../../core/episode/base.js";
import { DataError, show } from "../../core/errors.js";

const numbers = z.array(z.number());
const rows = z.array(numbers);

/** `task_config.frozen` of an episode. */
const startSchema = z.strictObject({
  state: z.strictObject({
    qpos: numbers,
    qvel: numbers,
    act: numbers,
    ctrl: numbers,
    qacc_warmstart: numbers,
    mocap_pos: rows,
    mocap_quat: rows,
  }),
  /** Numbers of the model that the reset drew at random. */
  model: z.record(z.string(), z.record(z.string().regex(/^\d+$/), numbers.min(1))),
  /** Positions to which the arm returns where the task leaves it free. */
  initial_joints: numbers,
  /** Values of the reading `constant`, such as a goal. */
  constants: z.record(z.string(), numbers).default({}),
  /** Values at the reset that are not those of the state: the original observes before it updates its poses. */
  first_values: z.record(z.string(), numbers).default({}),
  /** The inertia of the arm in the first physics step, row by row: robosuite computes it before the reset is complete. */
  first_inertia: numbers.optional(),
  /**
   * Torques of the arm in the first physics step, and its goal in the first control step. robosuite 1.4 computes them from what its
   * controller read before LIBERO set the initial state. They belong to the first action of `warm_up`.
   */
  first_step: z
    .strictObject({
      torques: numbers.min(1),
      goal_position: z.tuple([z.number(), z.number(), z.number()]),
      /** Rotation matrix, row by row. */
      goal_rotation: numbers.length(9),
    })
    .optional(),
  /** Actions that the benchmark takes before the first observation, so that objects come to rest. */
  warm_up: rows.optional(),
});

export type FrozenStart = z.output<typeof startSchema>;

/** The initial state of an episode. */
export function startOf({ episodeId, taskConfig }: BaseEpisode): FrozenStart {
  const result = startSchema.safeParse(taskConfig.frozen);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const place = ["task_config", "frozen", ...(issue?.path.map(String) ?? [])].join(".");
  throw new DataError(
    "bad_episode",
    `${place}: ${issue?.message ?? "invalid"}, got ${show(taskConfig.frozen)}`,
    {
      where: `episode ${episodeId}`,
      hint: "episodes of the frozen simulator are written by python -m robot_eval_client.freeze",
    },
  );
}
