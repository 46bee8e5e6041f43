import { describe, expect, it } from "vitest";
import { problemsOf, soundEpisode } from "../../../../test/support/lint-rule.js";
import { tiltedStart } from "./tilted-start.js";

const starting = (rotation: readonly [number, number, number, number]) =>
  soundEpisode({ startState: { position: [0, 0, 0], rotation } });

describe("tilted_start", () => {
  it("tilted_start reports the tilt angle", () => {
    const half = Math.PI / 12;
    expect(problemsOf(tiltedStart, starting([Math.sin(half), 0, 0, Math.cos(half)]))).toMatchObject(
      [{ message: "the agent's up axis is 30.0° from the vertical (+y)" }],
    );
  });

  it("tilted_start suggests z-up axes if the rotation is about z", () => {
    const [problem] = problemsOf(tiltedStart, starting([0, 0, 0.6, 0.8]));
    expect(problem?.hint).toContain("z-up");
  });

  it("tilted_start reports nothing for an upright start", () => {
    expect(problemsOf(tiltedStart, [soundEpisode(), starting([0, 0.6, 0, 0.8])])).toEqual([]);
  });
});
