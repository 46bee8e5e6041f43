import fc from "fast-check";
import { expect, it } from "vitest";
import type { Condition } from "../../src/core/interfaces/step.js";
import type { EpisodeEnd, StageHistory } from "../../src/core/task/base.js";
import { explainNavigation } from "../../src/tasks/explain-navigation.js";
import { ManipulationTask } from "../../src/tasks/manipulation/task.js";
import { inChinese } from "../../web/src/i18n/sentences/chinese.js";

/** Names that stay what they are. */
const NAMES = ["Infinity", "max_steps", "timeout", "stop", "cube_red"];
const CONDITIONS = ["grasped", "lifted", "opened", "at_target", "at_height", "released", "still"];
const STAGES = ["reached", "grasped", "lifted", "moved", "opened", "placed", "stacked", "released"];

const metres = fc.double({ min: 0, max: 20, noNaN: true });
const steps = fc.integer({ min: 0, max: 500 });
const reason = fc.constantFrom("stop", "max_steps", "timeout");

/** What is left of English once a sentence has been told in Chinese. */
function leftOver(told: string): string[] {
  const kept = new Set([...NAMES, ...CONDITIONS, ...DOFS, "rad"]);
  return (told.match(/[a-z_]{3,}/gi) ?? []).filter((word) => !kept.has(word));
}

const DOFS = new ManipulationTask().robot?.dofs.map(({ name }) => name) ?? [];

it("every explanation of a navigation episode has a Chinese translation", () => {
  const end: fc.Arbitrary<EpisodeEnd> = fc.record({
    succeeded: fc.boolean(),
    endReason: reason,
    steps,
    lastState: fc.record({ distance_to_goal: fc.oneof(metres, fc.constant(Infinity)) }),
    closestM: metres,
    closestStep: steps,
    collisions: steps,
    stuckSteps: steps,
  });
  const rules = { successDistanceM: 3, arrivalEnds: false };
  fc.assert(
    fc.property(end, fc.boolean(), (walk, arrivalEnds) => {
      const said = explainNavigation(walk, { ...rules, arrivalEnds }) ?? "";
      expect(leftOver(inChinese(said)), said).toEqual([]);
    }),
  );
});

it("every explanation of a manipulation episode has a Chinese translation", () => {
  const number = fc.double({ min: -1, max: 2, noNaN: true });
  const condition: fc.Arbitrary<Condition> = fc.record({
    name: fc.constantFrom(...CONDITIONS),
    value: number,
    threshold: number,
    holds: fc.boolean(),
  });
  const lift = fc.record({ lift_m: metres });
  const memory: fc.Arbitrary<StageHistory> = fc.record(
    { first: steps, last: steps, state: lift, after: lift },
    { requiredKeys: ["first", "last", "state"] },
  );
  const qpos = fc.constantFrom(0, 0.5, 1.1).map((value) => DOFS.map(() => value));
  const end: fc.Arbitrary<EpisodeEnd> = fc.record({
    succeeded: fc.boolean(),
    endReason: reason,
    steps,
    lastState: fc.record({
      target: fc.constant("cube_red"),
      conditions: fc.array(condition, { maxLength: 4 }),
      lift_m: metres,
      qpos,
    }),
    closestM: metres,
    closestStep: steps,
    collisions: steps,
    stuckSteps: steps,
    handling: fc.record({
      closestReachM: fc.oneof(metres, fc.constant(Infinity)),
      // What is let go of in place has been in place.
      stages: fc
        .dictionary(fc.constantFrom(...STAGES), memory)
        .map((stages) => ({ ...(stages.released ? { placed: stages.released } : {}), ...stages })),
      extremes: fc.constant({}),
      stillSteps: fc.constant(DOFS.map(() => 60)),
      lastAction: fc.constant(DOFS.map(() => 5)),
    }),
  });
  const task = new ManipulationTask();
  fc.assert(
    fc.property(end, (handled) => {
      const said = task.explain(handled);
      expect(leftOver(inChinese(said)), said).toEqual([]);
    }),
  );
});
