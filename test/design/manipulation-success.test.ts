import { describe, expect, it } from "vitest";
import {
  BaseEpisode,
  type BaseSimulator,
  createRegistries,
  getTask,
  ManipulationSuccess,
  parseConfig,
  UnifiedRobotEvaluator,
} from "../../src/index.js";

const TRUE = { object_grasped: true, object_lifted: true, object_placed: true };
const NONE = { object_grasped: false, object_lifted: false, object_placed: false };

const episode = (id: string, type = "grasp_and_lift") =>
  new BaseEpisode({
    episodeId: id,
    taskType: "pick_place",
    sceneId: "table",
    goals: {
      target_object: { name: "cup_red" },
      target_location: { position: [0.7, 0.2, 0.8] },
      success_criteria: { type },
    },
  });

// Chapter 6.2: `update(**kwargs)` with the three flags, then `get_metric()`.
describe("ManipulationSuccess.update", () => {
  const valueAfter = (flags: Readonly<Record<string, boolean>>, type?: string) => {
    const metric = new ManipulationSuccess();
    metric.reset(episode("1", type), getTask("pick_place", {}));
    metric.update(flags);
    return metric.getMetric();
  };

  it("ManipulationSuccess.update is a success if the object is grasped, lifted and placed", () => {
    expect(valueAfter(TRUE)).toBe(1);
  });

  it("ManipulationSuccess.update is no success if a flag is false or missing", () => {
    for (const flag of Object.keys(TRUE)) expect(valueAfter({ ...TRUE, [flag]: false })).toBe(0);
    expect(valueAfter({ object_grasped: true, object_lifted: true })).toBe(0);
    expect(valueAfter({})).toBe(0);
  });

  it("ManipulationSuccess.update reads flags only for grasp_and_lift", () => {
    expect(valueAfter(TRUE, "reported")).toBe(0);
  });

  it("ManipulationSuccess.update has the value of the last update", () => {
    const metric = new ManipulationSuccess();
    metric.reset(episode("1"), getTask("pick_place", {}));
    metric.update(TRUE);
    metric.update({ ...TRUE, object_placed: false });
    expect(metric.getMetric()).toBe(0);
    metric.update({ step: 2, action: null, state: TRUE });
    expect(metric.getMetric()).toBe(1);
    metric.reset(episode("2"), getTask("pick_place", {}));
    expect(metric.getMetric()).toBe(0);
  });
});

/** A simulator that only reports flags: in episode `good` all three after two steps, in the others two of them. */
class FlagSimulator implements BaseSimulator {
  readonly actionSpace = getTask("pick_place", {}).actionSpace;
  #episode = "";
  #steps = 0;

  reset({ episodeId }: BaseEpisode) {
    this.#episode = episodeId;
    this.#steps = 0;
    return { observation: {}, state: NONE };
  }

  step() {
    this.#steps++;
    const state = this.#steps < 2 ? NONE : { ...TRUE, object_placed: this.#episode === "good" };
    return { observation: {}, state };
  }

  close() {}
}

describe("a simulator that only sets the design's flags", () => {
  it("a simulator that only sets the flags of the design succeeds with three true flags, ends the episode then, and fails with two", async () => {
    const registries = createRegistries();
    registries.simulators.register("flags", {
      description: "reports flags",
      families: ["manipulation"],
      sensors: [],
      create: () => new FlagSimulator(),
    });
    const document = {
      benchmark: { name: "flags" },
      pick_task: { type: "pick_place", config: { metrics: ["manip_success", "success_once"] } },
      simulator: { backend: "flags" },
      dataset: { pick: { type: "pick_place", data_path: "none.json" } },
      evaluation: { max_steps: 5 },
    };
    const ended: [string, string, number][] = [];
    const results = await new UnifiedRobotEvaluator(parseConfig(JSON.stringify(document)), {
      registries,
      agent: "random",
      outDir: null,
      episodes: { pick: [episode("good"), episode("bad")] },
      onEvent: (event) => {
        if (event.type !== "episode") return;
        const { episode_id, end_reason, steps } = event.line;
        ended.push([episode_id, end_reason, steps]);
      },
    }).run();
    expect(results.episodes).toMatchObject({ success: 1, failure: 1, invalid: 0 });
    expect(results.aggregated_metrics.manip_success?.mean).toBe(0.5);
    expect(results.aggregated_metrics.success_once?.mean).toBe(0.5);
    expect(ended).toEqual([
      ["good", "success", 2],
      ["bad", "max_steps", 5],
    ]);
  });
});
