import { describe, expect, it } from "vitest";
import { BaseEpisode } from "../../../core/episode/base.js";
import { controlSteps } from "./time-step.js";

const episode = (time_step?: number) =>
  new BaseEpisode({
    episodeId: "7",
    taskType: "pick_place",
    sceneId: "s",
    simParams: time_step === undefined ? {} : { time_step },
  });

describe("controlSteps", () => {
  it("controlSteps uses steps of 2 ms, or the next shorter ones that divide an action", () => {
    expect(controlSteps(episode(), 20)).toEqual({ timestepS: 0.002, substeps: 25 });
    expect(controlSteps(episode(), 30)).toEqual({ timestepS: 1 / 30 / 17, substeps: 17 });
    expect(controlSteps(episode(), 500)).toEqual({ timestepS: 0.002, substeps: 1 });
  });

  it.each([
    [0.001, 20, 50],
    [0.05, 20, 1],
    [1 / 240, 30, 8],
    [0.0125, 20, 4],
  ])("controlSteps uses the step of the episode, %d s at %d Hz", (step, hz, substeps) => {
    expect(controlSteps(episode(step), hz)).toEqual({ timestepS: step, substeps });
  });

  it.each([
    [0.004, "does not divide an action", "0.00416666667 (12 steps) or 0.00384615385 (13 steps)"],
    [0.06, "is longer than an action", "0.05 (1 step)"],
    [86_400, "is longer than an action", "0.05 (1 step)"],
    [1e-6, "makes 50000 steps per action", "at least 0.00005 s"],
  ])("controlSteps cannot be of %d s", (step, problem, fits) => {
    expect(() => controlSteps(episode(step), 20)).toThrow(
      expect.objectContaining({
        name: "DataError",
        message: expect.stringContaining(problem),
        where: "episode 7, sim_params.time_step",
        hint: expect.stringContaining(fits),
      }),
    );
  });
});
