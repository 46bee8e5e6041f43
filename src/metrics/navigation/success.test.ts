import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  atDistances,
  makeEpisode,
  measure,
  taskUnder,
  thenStop,
} from "../../../test/support/nav-task.js";
import { OracleSuccess } from "./oracle-success.js";
import { NavigationSuccess } from "./success.js";

const success = (steps: ReturnType<typeof atDistances>, profile: string, config = {}) =>
  measure(new NavigationSuccess(), steps, { task: taskUnder(profile, config) });

describe("success", () => {
  it("success depends on the last record only", () => {
    expect(success(atDistances(5, 0.1), "design")).toBe(1);
    expect(success(atDistances(5, 0.1, 0.5), "design")).toBe(0);
  });

  it("success requires no stop under the profiles design and r2r", () => {
    expect(success(atDistances(5, 0.1), "design")).toBe(1);
    expect(success(atDistances(5, 2.9), "r2r")).toBe(1);
  });

  it("success requires a stop under the profiles habitat and vlnce", () => {
    expect(success(atDistances(5, 0.1), "habitat")).toBe(0);
    expect(success(thenStop(atDistances(5, 0.1)), "habitat")).toBe(1);
    expect(success(atDistances(5, 2.9), "vlnce")).toBe(0);
    expect(success(thenStop(atDistances(5, 2.9)), "vlnce")).toBe(1);
  });

  it("success requires the stop to be the last action", () => {
    const carriedOn = [...thenStop(atDistances(5, 0.1)), ...atDistances(0.1)];
    expect(success(carriedOn, "habitat")).toBe(0);
  });

  it("success is 0 at exactly the success distance", () => {
    expect(success(atDistances(5, 3), "r2r")).toBe(0);
    expect(success(atDistances(5, 2.999999), "r2r")).toBe(1);
  });

  it("success prefers the success distance of the task over that of the profile", () => {
    expect(success(atDistances(5, 0.9), "design", { success_distance: 1 })).toBe(1);
    expect(success(atDistances(5, 0.9), "r2r", { success_distance: 0.5 })).toBe(0);
  });

  it("success ignores the goal radius", () => {
    const episode = makeEpisode({ goals: { position: [0, 0, 0], radius: 10 } });
    expect(measure(new NavigationSuccess(), atDistances(5), { episode })).toBe(0);
  });

  it("success is 0 when no path leads to the goal", () => {
    expect(success(atDistances(5, Number.POSITIVE_INFINITY), "r2r")).toBe(0);
  });

  it("success is 1 for a single record at the goal if no stop is required", () => {
    expect(success(atDistances(0), "design")).toBe(1);
    expect(success(atDistances(0), "habitat")).toBe(0);
  });

  it("success keeps no state from the previous episode", () => {
    const metric = new NavigationSuccess();
    expect(measure(metric, atDistances(0))).toBe(1);
    expect(measure(metric, [])).toBe(0);
  });

  it("success rejects a record without a distance to the goal", () => {
    const gap = [...atDistances(5), { state: {} }];
    expect(() => success(gap, "r2r")).toThrow(/needs distance_to_goal/);
  });
});

describe("oracle_success", () => {
  const oracle = (steps: ReturnType<typeof atDistances>, profile: string) =>
    measure(new OracleSuccess(), steps, { task: taskUnder(profile) });

  it("oracle_success is 1 for passing the goal without a stop", () => {
    expect(oracle(atDistances(5, 0.1, 5), "habitat")).toBe(1);
    expect(oracle(atDistances(5, 0.3, 5), "habitat")).toBe(0);
  });

  it("oracle_success includes the first record", () => {
    expect(oracle(atDistances(2, 5), "r2r")).toBe(1);
  });

  it("oracle_success is 0 at exactly the success distance", () => {
    expect(oracle(atDistances(5, 3), "r2r")).toBe(0);
  });

  it("oracle_success is never below success", () => {
    const profile = fc.constantFrom("design", "habitat", "vlnce", "r2r");
    const distances = fc.array(fc.double({ min: 0, max: 5, noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(profile, distances, (name, list) => {
        const steps = thenStop(atDistances(...list));
        expect(oracle(steps, name)).toBeGreaterThanOrEqual(success(steps, name) ?? 0);
      }),
    );
  });
});
