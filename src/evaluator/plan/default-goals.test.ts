import { describe, expect, it } from "vitest";
import { BaseEpisode } from "../../core/episode/base.js";
import { withDefaultGoals } from "./default-goals.js";

const DEFAULTS = {
  target_object: { name: "cup_red", mass: 0.2 },
  target_location: { position: [0.7, 0.2, 0.8] },
  success_criteria: { type: "grasp_and_lift", lift_height: 0.2 },
};

const episode = (goals: object) =>
  BaseEpisode.fromDict({ episode_id: "1", task_type: "pick_place", scene_id: "table", goals });
const merged = (own: object, defaults: Readonly<Record<string, unknown>> = DEFAULTS) =>
  withDefaultGoals(episode(own), defaults).goals;

describe("the benchmark's goals", () => {
  it("the benchmark goals are those of an episode without goals", () => {
    expect(merged({})).toEqual(DEFAULTS);
  });

  it("the benchmark goals complete the goals of an episode that gives only a part", () => {
    const target_location = { position: [0.1, 0.2, 0.3] };
    expect(merged({ target_location })).toEqual({ ...DEFAULTS, target_location });
    expect(merged({ success_criteria: { place_tolerance: 0.01 } }).success_criteria).toEqual({
      type: "grasp_and_lift",
      lift_height: 0.2,
      place_tolerance: 0.01,
    });
    expect(merged({ success_criteria: { type: "grasp_and_lift" } }).success_criteria).toEqual(
      DEFAULTS.success_criteria,
    );
  });

  it("the benchmark goals give no details to another object, preset or rule of the episode", () => {
    expect(merged({ target_object: { name: "bowl" } }).target_object).toEqual({ name: "bowl" });
    const onto = { object: "plate" };
    expect(merged({ target_location: onto }).target_location).toEqual(onto);
    const opened = { type: "opened" };
    expect(merged({ success_criteria: opened }).success_criteria).toEqual(opened);
    const rule = { rule: { open: { fixture: "drawer" } } };
    expect(merged({ success_criteria: rule }).success_criteria).toEqual(rule);
  });

  it("the benchmark goals give no second place to a navigation goal", () => {
    const defaults = { position: [1, 0, 1], radius: 0.5 };
    expect(merged({ positions: [[2, 0, 2]] }, defaults)).toEqual({
      positions: [[2, 0, 2]],
      radius: 0.5,
    });
  });

  it("the benchmark goals leave a complete episode as it is", () => {
    const complete = episode(DEFAULTS);
    expect(withDefaultGoals(complete, DEFAULTS)).toBe(complete);
  });
});
