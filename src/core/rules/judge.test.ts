import { describe, expect, it } from "vitest";
import type { SuccessCriteria } from "./criteria.js";
import { judgedState, SuccessJudge } from "./judge.js";
import { judgedBy, observed, taskOf } from "./steps.fixture.js";

const PHYSICAL: SuccessCriteria = { success: { open: { fixture: "d" } } };
const REPORTED: SuccessCriteria = { success: { reported_success: {} } };
const task = (successCriteria: SuccessCriteria, reportedCriteria: SuccessCriteria) => ({
  ...taskOf(successCriteria),
  reportedCriteria,
});

describe("SuccessJudge", () => {
  it("SuccessJudge needs exactly the facts that success, stages, flags and measures read", () => {
    const needs = new SuccessJudge(
      taskOf({
        success: { on: { object: "a", base: "b" } },
        stages: { grasped: { grasped: { object: "a" } } },
        measures: { reach_m: { reached: { fixture: "d" } } },
      }),
    ).needs();
    expect([...(needs?.objects.get("a") ?? [])]).toEqual(["pose", "fingers"]);
    expect([...(needs?.objects.get("b") ?? [])]).toEqual(["pose"]);
    expect([...(needs?.fixtures ?? [])]).toEqual([["d", new Set(["reach"])]]);
    expect(needs?.contacts).toEqual([["a", "b"]]);
    expect(needs?.joints.size).toBe(0);
  });

  it("SuccessJudge uses the success that a simulator without facts reports, and records it as a fact", () => {
    const judge = new SuccessJudge(task(PHYSICAL, REPORTED));
    const state = { success: true, stages: { near: true }, done: false };
    const judged = judge.update({ state });
    expect(JSON.stringify(judged.state)).toBe(JSON.stringify(state));
    expect(judged.facts).toEqual({ reported: { success: true } });
    expect(judge.update({ state: { success: false } }).state.success).toBe(false);
  });

  it("SuccessJudge judges a recorded report by its fact, not by the recorded verdict", () => {
    const held = { success: { hold: { steps: 2, rule: { reported_success: {} } } } };
    const live = new SuccessJudge(taskOf(held));
    const records = [1, 2].map(() => live.update({ state: { success: true } }));
    expect(records.map(({ state }) => state.success)).toEqual([false, true]);
    const again = new SuccessJudge(taskOf(REPORTED));
    expect(records.map((record) => again.update(record).state.success)).toEqual([true, true]);
  });

  it("SuccessJudge rejects a rule that needs facts if the simulator records none", () => {
    const judge = new SuccessJudge(taskOf(PHYSICAL));
    expect(() => judge.update({ state: { success: false } })).toThrow(/records none/);
  });

  it("SuccessJudge rejects a simulator that records neither facts nor success", () => {
    const judge = new SuccessJudge(task(PHYSICAL, REPORTED));
    expect(() => judge.update({ state: { qpos: [] } })).toThrow(/neither facts nor success/);
  });

  it("SuccessJudge does not change the states of a task without criteria", () => {
    const none = { ...taskOf(REPORTED), successCriteria: undefined, reportedCriteria: undefined };
    const state = { position: [0, 0, 0] } as const;
    expect(new SuccessJudge(none).update({ state })).toEqual({ state, facts: undefined });
    expect(new SuccessJudge(none).needs()).toBeUndefined();
  });

  it("SuccessJudge names the fact that a recorded step lacks", () => {
    const other = taskOf({ success: { open: { fixture: "door" } } });
    expect(() => judgedBy(other, [observed({ fixtures: { d: {} } })])).toThrow(
      /the step records have no opened of "door"/,
    );
  });

  it("SuccessJudge returns the same states for recorded ones", () => {
    const criteria: SuccessCriteria = {
      success: { hold: { steps: 2, rule: { once: { grasped: { object: "a" } } } } },
      stages: { lifted: { lifted: { object: "a", held: true } } },
    };
    const steps = [0, 1, 2, 3].map((i) =>
      observed({ objects: { a: { fingersN: [i, i], lowestM: 0.75 + i / 10 } } }),
    );
    const live = new SuccessJudge(taskOf(criteria));
    const records = steps.map((step) => JSON.parse(JSON.stringify(live.update(step))));
    const again = new SuccessJudge(taskOf(criteria));
    for (const record of records) {
      expect(JSON.stringify(again.update(record))).toBe(JSON.stringify(record));
    }
  });
});

describe("judgedState", () => {
  it("judgedState inserts the verdict before errors and file hashes", () => {
    const state = { qpos: [1], error: "diverged", scene_sha256: "f", missing_sensors: ["rgb"] };
    const judged = judgedState(state, { conditions: [], success: false });
    expect(Object.keys(judged)).toEqual([
      ...["qpos", "conditions", "success", "error", "scene_sha256", "missing_sensors"],
    ]);
  });

  it("judgedState replaces existing keys of a state in place", () => {
    const judged = judgedState({ success: true, error: "x", done: false }, { success: false });
    expect(JSON.stringify(judged)).toBe('{"success":false,"error":"x","done":false}');
  });
});
