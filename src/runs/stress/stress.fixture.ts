import type { StressLevel, StressReport } from "./documents.js";

/** A level of 40 pairs, with the given share of successes. */
function level(number: number, value: number, success: number, p: number): StressLevel {
  const difference = success - 0.9;
  const lost = Math.round(-40 * difference);
  return {
    level: number,
    value,
    run: `brightness-${number}`,
    status: "done",
    expert_run: null,
    n: 40,
    baseline: 0.9,
    success,
    difference,
    ci95: [difference - 0.15, Math.min(1, difference + 0.15)],
    ci_method: "tango",
    test: "mcnemar_score",
    p,
    lost,
    gained: 0,
    unsolvable: 0,
    invalid: 0,
    stopped_early: null,
    p_holm: Math.min(1, 3 * p),
    significant: 3 * p < 0.05,
    per_task: {},
  };
}

/** A finished stress test of one axis that breaks the policy at its second level. */
export const STRESS_REPORT: StressReport = {
  format: "robot-eval-stress/1",
  stress_id: "20260101T120000Z-stress-vln-random",
  status: "done",
  benchmark: "vln",
  agent: "random",
  seed: 0,
  started_at: "2026-01-01T12:00:00.000Z",
  finished_at: "2026-01-01T12:10:00.000Z",
  baseline: {
    run: "baseline",
    status: "done",
    total: 40,
    invalid: 0,
    success: 0.9,
    ci95: [0.77, 0.96],
    ci_method: "wilson",
  },
  axes: [
    {
      axis: "brightness",
      description: "darker colour images",
      kind: "interface",
      parameter: "loss of brightness",
      unit: "",
      neutral: 0,
      settings: {},
      skipped_tasks: [],
      levels: [level(1, 0.25, 0.8, 0.045), level(2, 0.5, 0.4, 1e-5), level(3, 0.75, 0.1, 1e-8)],
      break_point: { state: "reached", value: 0.46875, level: 1.875, ci95: [0.4, 0.58] },
      telling_episodes: [
        {
          episode_key: "vln/hall/3",
          to: "failure",
          level: 1,
          stays: true,
          baseline: {
            run: "baseline",
            repeat: 0,
            end_reason: "stop",
            steps: 12,
            explanation: "stopped 0.1 m from the goal",
          },
          perturbed: {
            run: "brightness-1",
            repeat: 0,
            end_reason: "max_steps",
            steps: 500,
            explanation: "ran out of steps 4 m from the goal",
          },
        },
      ],
    },
  ],
  ranking: [
    {
      axis: "brightness",
      damage: 1.4 / 3,
      worst_level: 3,
      worst_difference: -0.8,
      p_holm: 3e-8,
      significant: true,
    },
  ],
  tests: 3,
  early_stop: null,
  notes: [],
};
