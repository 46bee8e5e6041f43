import { describe, expect, it } from "vitest";
import { PARTED, problemsOf, soundEpisode } from "../../../../test/support/lint-rule.js";
import { geodesicDistance } from "./geodesic-distance.js";

const stating = (geodesic_distance: unknown, more = {}) =>
  soundEpisode({ taskConfig: { geodesic_distance }, ...more });

describe("geodesic_distance", () => {
  it("geodesic_distance finds a distance shorter than the straight line", () => {
    expect(problemsOf(geodesicDistance, stating(3.9))).toMatchObject([
      {
        field: "task_config.geodesic_distance",
        message: "3.900 m, but the straight line to the nearest goal is 4.000 m",
      },
    ]);
  });

  it.each([[Number.POSITIVE_INFINITY], [Number.NaN], [-1], ["4"]])(
    "geodesic_distance finds the invalid distance %s",
    (distance) => {
      expect(problemsOf(geodesicDistance, stating(distance))).toHaveLength(1);
    },
  );

  it("geodesic_distance warns if the shortest path on the graph differs", () => {
    const nodes = {
      startState: { position: [0, 0, 0] as const, node: "a" },
      goals: { position: [0, 0, -4] as const, node: "b" },
    };
    const graph = PARTED;
    expect(problemsOf(geodesicDistance, stating(5, nodes), { graph })).toMatchObject([
      { severity: "warning", message: "5.000 m, but the graph's shortest path is 4.000 m" },
    ]);
    expect(problemsOf(geodesicDistance, stating(4.01, nodes), { graph })).toEqual([]);
  });

  it("geodesic_distance accepts rounding, detours and unknown goals", () => {
    const unknown = stating(1, { goals: {} });
    expect(problemsOf(geodesicDistance, [stating(3.9995), stating(12), unknown])).toEqual([]);
    expect(problemsOf(geodesicDistance, stating(undefined))).toEqual([]);
  });

  it("geodesic_distance does not measure to the centre of an object", () => {
    const object = stating(3, { taskType: "objectnav" });
    expect(problemsOf(geodesicDistance, object)).toEqual([]);
    const view = stating(3, {
      taskType: "objectnav",
      goals: { position: [0, 0, -4], view_points: [[0, 0, -3.5]] },
    });
    expect(problemsOf(geodesicDistance, view)).toHaveLength(1);
  });
});
