import { describe, expect, it } from "vitest";
import { measure, type Step } from "../../../test/support/nav-task.js";
import { ManipulationSuccess } from "./manip-success.js";
import { SuccessOnce } from "./success-once.js";
import { TimeToSuccess } from "./time-to-success.js";

const held = (...flags: readonly boolean[]): Step[] =>
  flags.map((success, i) => ({ timeS: i * 0.5, state: { success } }));

describe("manip_success", () => {
  it("manip_success is 1 if success holds at the last record", () => {
    expect(measure(new ManipulationSuccess(), held(false, true))).toBe(1);
    expect(measure(new ManipulationSuccess(), held(false, true, false))).toBe(0);
  });

  it("manip_success is 0 if the last state has no success field", () => {
    expect(measure(new ManipulationSuccess(), [...held(true), { state: {} }])).toBe(0);
  });
});

describe("success_once", () => {
  it("success_once is 1 if success held at any record, including the first", () => {
    expect(measure(new SuccessOnce(), held(false, true, false))).toBe(1);
    expect(measure(new SuccessOnce(), held(true, false))).toBe(1);
    expect(measure(new SuccessOnce(), held(false, false))).toBe(0);
  });

  it("success_once keeps no state from the previous episode", () => {
    const metric = new SuccessOnce();
    measure(metric, held(true));
    expect(measure(metric, held(false))).toBe(0);
  });
});

describe("time_to_success", () => {
  it("time_to_success is the simulated time of the first success", () => {
    expect(measure(new TimeToSuccess(), held(false, false, true, false, true))).toBe(1);
    expect(measure(new TimeToSuccess(), held(true))).toBe(0);
  });

  it("time_to_success is null for an episode that never succeeds", () => {
    expect(measure(new TimeToSuccess(), held(false, false))).toBeNull();
  });

  it("time_to_success rejects a successful record without a time", () => {
    const steps: Step[] = [...held(false), { state: { success: true } }];
    expect(() => measure(new TimeToSuccess(), steps)).toThrow(/needs time_s/);
  });
});
