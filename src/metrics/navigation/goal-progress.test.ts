import { describe, expect, it } from "vitest";
import {
  makeEpisode,
  measure,
  type Setting,
  score,
  taskUnder,
  walk,
} from "../../../test/support/nav-task.js";
import type { Goals } from "../../core/episode/schemas.js";
import { DataError } from "../../core/errors.js";
import { distance3 } from "../../core/math/vec3.js";
import { NavGraph } from "../../core/scene/graph.js";
import { GoalProgress } from "./goal-progress.js";

/** a - b - c - d in a row, 1 m apart, and an unconnected node. */
const row = new NavGraph(
  "row",
  [
    { id: "a", position: [0, 0, 0] },
    { id: "b", position: [1, 0, 0] },
    { id: "c", position: [2, 0, 0] },
    { id: "d", position: [3, 0, 0] },
    { id: "island", position: [9, 0, 0] },
  ],
  [
    [0, 1],
    [1, 2],
    [2, 3],
  ],
);
const atD: Goals = { position: [3, 0, 0], node: "d" };

function progress(nodes: readonly string[], goals: Goals): number | null {
  const setting: Setting = {
    task: taskUnder("ndh"),
    episode: makeEpisode({ goals }),
    context: { distance: (a, b) => row.distance(a, b) },
  };
  const places = nodes.map((node) => row.place(node));
  return measure(new GoalProgress(), walk(places, [row.place("d")]), setting);
}

describe("goal_progress", () => {
  it("goal_progress is the metres gained towards the goal", () => {
    expect(progress(["a", "b", "c"], atD)).toBe(2);
  });

  it("goal_progress is negative for moving away and 0 for never moving", () => {
    expect(progress(["c", "b", "a"], atD)).toBe(-2);
    expect(progress(["c"], atD)).toBe(0);
  });

  it("goal_progress measures to the nearest of the progress nodes of the episode if it has them", () => {
    expect(progress(["a", "b"], { ...atD, progress_nodes: ["b", "d"] })).toBe(1);
    expect(progress(["b", "c"], { ...atD, progress_nodes: ["b", "d"] })).toBe(-1);
  });

  it("goal_progress is null without a goal, or when no goal can be reached", () => {
    expect(progress(["a", "b"], {})).toBeNull();
    expect(progress(["a", "b"], { ...atD, progress_nodes: ["island"] })).toBeNull();
  });

  it("goal_progress is null for node names in a scene without nodes", () => {
    const setting: Setting = {
      episode: makeEpisode({ goals: { progress_nodes: ["a"] } }),
      context: { distance: (a, b) => distance3(a.position, b.position) },
    };
    expect(measure(new GoalProgress(), walk([row.place("a")], []), setting)).toBeNull();
  });

  it.each([["a"], [[]], [["a", 7]], [null]])(
    "goal_progress rejects %o as progress nodes",
    (nodes) => {
      expect(() => progress(["a"], { ...atD, progress_nodes: nodes })).toThrow(DataError);
    },
  );

  it("goal_progress is rejected by the scorer without a scene", () => {
    const steps = walk([row.place("a")], []);
    expect(() => score(new GoalProgress(), steps)).toThrow(/needs the scene's distances/);
  });
});
