import { describe, expect, it } from "vitest";
import { episodeLine, runInfo } from "../../../../test/support/cli.js";
import { BaseEpisode } from "../../../core/episode/base.js";
import type { RunInfo } from "../../../core/interfaces/result.js";
import type { StepRecord } from "../../../core/interfaces/step.js";
import { MetricRegistry } from "../../../core/metric/registry.js";
import { EpisodeScorer, type MetricValues } from "../../../core/metric/scorer.js";
import { TaskRegistry } from "../../../core/task/registry.js";
import { registerMetrics } from "../../../registry/metrics.js";
import { registerTasks } from "../../../registry/tasks.js";
import { whyOf } from "./index.js";

const metrics = new MetricRegistry();
registerMetrics(metrics);
const tasks = new TaskRegistry({});
registerTasks(tasks);

const walk = new BaseEpisode({
  episodeId: "1",
  taskType: "vln",
  sceneId: "hall",
  goals: { position: [4, 0, 0] },
  referenceData: {
    path: [
      [0, 0, 0],
      [2, 0, 0],
      [4, 0, 0],
    ],
  },
});

/** A detour of 1 m to the side and back, then 4 m forward, ending 0.5 m short of the goal. */
const walked: StepRecord[] = (
  [
    [0, 0, 4],
    [0, 1, 4.2],
    [0, 0, 4],
    [2, 0, 2],
    [3.5, 0, 0.5],
    [3.5, 0, 0.5],
  ] as const
).map(([x, z, distance_to_goal], step) => ({
  step,
  action: step === 0 ? null : step === 5 ? "stop" : "move_forward",
  state: { position: [x, 0, z], distance_to_goal, collided: step === 1 },
}));

const handled: StepRecord[] = [0, 1, 2, 3].map((step) => ({
  step,
  time_s: step / 20,
  action: step === 0 ? null : [0, 0],
  state: {
    qpos: [step / 10, 0.2],
    ee_pose: [step / 10, 0, 1, 1, 0, 0, 0],
    stages: {
      ...{ reached: step > 0, grasped: step > 1 },
      ...{ lifted: false, placed: false, released: false },
    },
    conditions: [
      { name: "grasped", value: 1, threshold: 0.5, holds: true },
      { name: "lifted", value: 0.02, threshold: 0.1, holds: false },
    ],
    success: false,
  },
}));

const handling = new BaseEpisode({
  episodeId: "1",
  taskType: "pick_place",
  sceneId: "tabletop",
  referenceData: {
    trajectory: {
      ee_pose: [
        [0, 0, 1],
        [0.2, 0.01, 1],
      ],
      qpos: [
        [0, 0.2],
        [0.25, 0.2],
      ],
    },
  },
});

function infoWith(task: string, config: object): RunInfo {
  return runInfo({ config: { [`${task}_task`]: { type: task, config } } });
}

/** The values that the metrics themselves compute. */
function measured(
  type: string,
  config: Readonly<Record<string, unknown>>,
  episode: BaseEpisode,
  records: readonly StepRecord[],
  names: readonly string[],
): MetricValues {
  const task = tasks.get(type, config);
  const scorer = new EpisodeScorer(
    task,
    names.map((name) => metrics.get(name, {})),
  );
  scorer.reset(episode, {});
  for (const record of records) scorer.update(record);
  return scorer.values();
}

describe("the explanation of a navigation metric", () => {
  const names = [
    ...["success", "oracle_success", "navigation_error", "distance_to_goal", "spl", "soft_spl"],
    ...["oracle_navigation_error", "path_length", "steps_taken", "collisions"],
    ...["dtw", "ndtw", "sdtw", "cls"],
  ];

  it.each(["design", "habitat", "vlnce"])(
    "the explanation of a navigation metric exists for all metrics under %s",
    (profile) => {
      const config = { profile };
      const line = episodeLine({ metrics: measured("vln", config, walk, walked, names) });
      const why = whyOf(infoWith("vln", config), line, walk, walked);
      expect(why.filter(({ formula }) => formula === null)).toEqual([]);
      expect(why.map(({ metric }) => metric)).toEqual(names);
    },
  );

  it("the explanation of a navigation metric contains the numbers", () => {
    const config = { profile: "vlnce" };
    const line = episodeLine({
      metrics: measured("vln", config, walk, walked, ["success", "spl"]),
    });
    const [success, spl] = whyOf(infoWith("vln", config), line, walk, walked);
    expect(success?.substituted).toBe("stop was called, 0.5 < 3 → 1");
    expect(spl).toMatchObject({
      formula: "SPL = S × l / max(l, p)",
      substituted: "1 × 4 / max(4, 5.5) = 0.7273",
      terms: [
        { name: "S", value: 1, unit: "1" },
        { name: "l", value: 4, unit: "m" },
        { name: "p", value: 5.5, unit: "m" },
      ],
    });
  });

  it("the explanation of a navigation metric is omitted if the value of the line differs from that of the steps", () => {
    const line = episodeLine({ metrics: { spl: 0.5, path_length: null, own_metric: 3 } });
    for (const why of whyOf(infoWith("vln", {}), line, walk, walked)) {
      expect(why).toMatchObject({ formula: null, substituted: null, terms: [] });
    }
  });

  it("the explanation of a navigation metric is omitted if distances need a scene that is not loaded", () => {
    const line = episodeLine({ metrics: { ndtw: 0.5 } });
    const [why] = whyOf(infoWith("vln", { profile: "r2r" }), line, walk, walked);
    expect(why?.formula).toBeNull();
  });

  it("the explanation of a navigation metric is omitted if no steps were saved or the conventions are unknown", () => {
    const line = episodeLine({ metrics: { success: 1 } });
    expect(whyOf(infoWith("vln", {}), line, walk, [])[0]?.formula).toBeNull();
    expect(whyOf(infoWith("vln", { profile: "none" }), line, walk, walked)[0]?.formula).toBeNull();
  });
});

describe("the explanation of a manipulation metric", () => {
  const names = [
    ...["manip_success", "success_once", "completion_rate"],
    ...["trajectory_similarity", "ee_frechet", "joint_rmse"],
  ];
  const line = episodeLine({
    task: "pick_place",
    task_type: "pick_place",
    metrics: measured("pick_place", {}, handling, handled, names),
  });

  it("the explanation of a manipulation metric exists for all metrics, with the parts that do not hold", () => {
    const why = whyOf(infoWith("pick_place", {}), line, handling, handled);
    expect(why.filter(({ formula }) => formula === null)).toEqual([]);
    expect(why[0]?.substituted).toBe(
      "1 of 2 parts hold at step 3; not: lifted 0.02 (needs 0.1) → 0",
    );
  });

  it("the explanation of a manipulation metric uses the settings of the metric", () => {
    const config = { metric_config: { trajectory_similarity: { scale: 0.5 } } };
    const own = metrics.get("trajectory_similarity", { scale: 0.5 });
    own.reset(handling, tasks.get("pick_place", {}));
    for (const record of handled) own.update(record);
    const scored = { ...line, metrics: { trajectory_similarity: own.getMetric() } };
    const [why] = whyOf(infoWith("pick_place", config), scored, handling, handled);
    expect(why?.substituted).toMatch(/^exp\(−[\d.]+ \/ \(2 × 0\.5\)\) = 0\./);
  });
});
