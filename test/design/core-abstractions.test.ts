import { describe, expect, it } from "vitest";
import {
  BaseMetric,
  getMetric,
  getTask,
  listMetrics,
  type MetricInfo,
  registerMetric,
  SensorSuite,
  VLNTask,
} from "../../src/index.js";

// What the design's chapters 3 to 6 say of the base classes, where its code can be run as a test.
describe("BaseMetric.compute_aggregated", () => {
  it("BaseMetric.compute_aggregated returns mean, std, min, max and count, as numpy does", () => {
    expect(getMetric("success", {}).computeAggregated([2, 4, 4, 4, 5, 5, 7, 9])).toEqual({
      mean: 5,
      std: 2,
      min: 2,
      max: 9,
      count: 8,
    });
  });
});

describe("the metric registry", () => {
  it.each(["success", "spl", "dtw", "manip_success", "completion_rate", "trajectory_similarity"])(
    "the metric registry has the %s of the design",
    (name) => {
      expect(listMetrics()).toContain(name);
      expect(getMetric(name, {})).toBeInstanceOf(BaseMetric);
      expect(getMetric(name, {})).toBeInstanceOf(getMetric(name));
    },
  );

  it("the metric registry registers a metric by decorator", () => {
    @registerMetric("design_metric")
    class DesignMetric extends BaseMetric {
      readonly info: MetricInfo = {
        name: "design_metric",
        summary: "Always 1.",
        unit: "1",
        direction: "higher",
        range: [0, 1],
        kind: "rate",
        needs: { state: [] },
      };
      override reset(): void {}
      override update(): void {}
      override getMetric(): number {
        return 1;
      }
    }
    expect(getMetric("design_metric")).toBe(DesignMetric);
    const task = getTask("vln", { metrics: ["success", "design_metric"] });
    expect(task.getMetrics()).toEqual([getMetric("success"), DesignMetric]);
  });
});

describe("SensorSuite.get", () => {
  it("SensorSuite.get returns the settings of a sensor, or an empty map", () => {
    const suite = new SensorSuite({ sensors: { rgb: { width: 640, height: 480 } } });
    expect(suite.get("rgb")).toEqual({ width: 640, height: 480 });
    expect(suite.get("none")).toEqual({});
  });
});

describe("VLNTask.check_episode_complete", () => {
  const task = new VLNTask({});

  it.each([
    [{ distance_to_goal: 0.1 }, true],
    [{ distance_to_goal: 0.2 }, false],
    [{ distance_to_goal: 5, num_steps: 500 }, true],
    [{ distance_to_goal: 5, num_steps: 499 }, false],
    [{ distance_to_goal: 5, last_action: "stop" }, true],
    [{ distance_to_goal: 5, last_action: "turn_left" }, false],
    [{}, false],
  ])("VLNTask.check_episode_complete of the state %j returns %s", (state, complete) => {
    expect(task.checkEpisodeComplete(state)).toBe(complete);
  });
});
