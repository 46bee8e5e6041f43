import { describe, expect, it } from "vitest";
import { problemsOf, soundEpisode } from "../../../../test/support/lint-rule.js";
import { goalRadius } from "./goal-radius.js";

const within = (radius: number | null) => soundEpisode({ goals: { position: [0, 0, -4], radius } });

describe("goal_radius", () => {
  it("warns of a radius of 0", () => {
    expect(problemsOf(goalRadius(), within(0))).toMatchObject([
      { field: "goals.radius", severity: "warning" },
    ]);
  });

  it("tells once that another distance decides", () => {
    expect(problemsOf(goalRadius(), [within(0.2), within(0.2)])).toMatchObject([
      { message: "2 goals have the radius 0.2 m, and the profile vlnce judges by 3 m" },
    ]);
  });

  it("says nothing of the profile's own radius, of none, and of our own format", () => {
    expect(problemsOf(goalRadius(), [within(3), within(null), soundEpisode()])).toEqual([]);
    const format = { name: "native", profile: "design" };
    expect(problemsOf(goalRadius(), within(1), { format })).toEqual([]);
  });
});
