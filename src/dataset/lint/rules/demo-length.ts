import type { LintRule, Problem } from "../types.js";

/** A demonstration whose lists do not belong together, step by step. */
export const demoLength: LintRule = {
  code: "demo_length",
  severity: "error",
  why: "joints, end-effector poses and actions of a demonstration are compared and replayed step by step; lists of different lengths shift against each other",
  *check({ referenceData }) {
    const { qpos, ee_pose, actions } = referenceData?.trajectory ?? {};
    const field = (name: string) => `reference_data.trajectory.${name}`;
    for (const [name, rows] of Object.entries({ qpos, ee_pose, actions })) {
      if (rows) yield* widths(field(name), rows);
    }
    if (qpos && ee_pose && qpos.length !== ee_pose.length) {
      yield {
        field: field("ee_pose"),
        value: ee_pose.length,
        message: `${ee_pose.length} end-effector poses for ${qpos.length} joint positions`,
      };
    }
    const states = qpos ?? ee_pose;
    if (!states || !actions) return;
    // Between T + 1 states there are T actions; some recorders leave out the last state.
    const extra = states.length - actions.length;
    if (extra === 0 || extra === 1) return;
    yield {
      field: field("actions"),
      value: actions.length,
      message: `${actions.length} actions for ${states.length} states; expected as many, or one fewer`,
    };
  },
};

function* widths(field: string, rows: readonly (readonly number[])[]): Generator<Problem> {
  const [first] = rows;
  if (!first) {
    yield { field, value: rows, message: "there are no steps" };
    return;
  }
  const odd = rows.findIndex((row) => row.length !== first.length);
  if (odd === -1) return;
  yield {
    field: `${field}[${odd}]`,
    value: rows[odd],
    message: `${rows[odd]?.length} numbers, and ${first.length} in the first step`,
  };
}
