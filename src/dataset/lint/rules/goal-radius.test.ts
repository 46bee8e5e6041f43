import { describe, expect, it } from "vitest";
import { problemsOf, soundEpisode } from "../../../../test/support/lint-rule.js";
import { goalRadius } from "./goal-radius.js";

const within = (radius: number | null) => soundEpisode({ goals: { position: [0, 0, -4], radius } });

describe("goal_radius", () => {
  it("goal_radius warns about a radius of 0", () => {
    expect(problemsOf(goalRadius(), within(0))).toMatchObject([
      { field: "goals.radius", severity: "warning" },
    ]);
  });

  it("goal_radius reports once that another success distance applies", () => {
    expect(problemsOf(goalRadius(), [within(0.2), within(0.2)])).toMatchObject([
      { message: "2 goals have the radius 0.2 m, but the profile vlnce uses 3 m" },
    ]);
  });

  it("goal_radius reports nothing for the radius of the profile, no radius, and the native format", () => {
    expect(problemsOf(goalRadius(), [within(3), within(null), soundEpisode()])).toEqual([]);
    const format = { name: "native", profile: "design" };
    expect(problemsOf(goalRadius(), within(1), { format })).toEqual([]);
  });
});
