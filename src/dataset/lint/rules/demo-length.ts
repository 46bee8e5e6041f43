import type { LintRule, Problem } from "../types.js";

/** Finds demonstrations whose lists have inconsistent lengths. */
export const demoLength: LintRule = {
  code: "demo_length",
  severity: "error",
  why: "joints, end-effector poses and actions of a demonstration are compared and replayed step by step; with different lengths the steps no longer correspond",
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
    // T actions lie between T + 1 states; some recorders omit the last state.
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
    yield { field, value: rows, message: "the list has no steps" };
    return;
  }
  const odd = rows.findIndex((row) => row.length !== first.length);
  if (odd === -1) return;
  yield {
    field: `${field}[${odd}]`,
    value: rows[odd],
    message: `${rows[odd]?.length} numbers, but ${first.length} in the first step`,
  };
}
