import fc from "fast-check";
import { expect, it } from "vitest";
import type { Condition } from "../../src/core/interfaces/step.js";
import type { EpisodeEnd, StageHistory } from "../../src/core/task/base.js";
import { explainNavigation } from "../../src/tasks/explain-navigation.js";
import { ManipulationTask } from "../../src/tasks/manipulation/task.js";
import { RearrangeTask } from "../../src/tasks/rearrange/task.js";
import { inChinese } from "../../web/src/i18n/sentences/chinese.js";

/** Names that stay what they are. */
const NAMES = ["Infinity", "max_steps", "timeout", "stop", "cube_red"];
const CONDITIONS = ["grasped", "lifted", "opened", "at_target", "at_height", "released", "still"];
const REARRANGEMENT = ["find_object", "pick", "find_receptacle", "place"];
const STAGES = ["reached", "grasped", "lifted", "moved", "opened", "placed", "stacked", "released"];

const metres = fc.double({ min: 0, max: 20, noNaN: true });
const steps = fc.integer({ min: 0, max: 500 });
const reason = fc.constantFrom("stop", "max_steps", "timeout");

/** The English words that remain after a sentence was translated to Chinese. */
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

it("every explanation of a rearrangement has a Chinese translation", () => {
  const stage: fc.Arbitrary<StageHistory> = fc.record({
    first: steps,
    last: steps,
    state: fc.constant({}),
  });
  const held = metres.map((height) => ({
    target: "mug_1",
    objects: {
      mug_1: { position: [0, 0, height] as const, rotation_wxyz: [1, 0, 0, 0] as const },
    },
  }));
  const carried: fc.Arbitrary<StageHistory> = fc.record(
    { first: steps, last: steps, state: held, after: fc.constant({}) },
    { requiredKeys: ["first", "last", "state"] },
  );
  const extreme = fc.record({ least: metres, most: fc.double({ min: 0, max: 1, noNaN: true }) });
  const names = ["on_goal", "at_rest", "not_turning", "released", "not collided"];
  const end: fc.Arbitrary<EpisodeEnd> = fc.record({
    succeeded: fc.boolean(),
    endReason: reason,
    steps,
    lastState: fc.record({
      target: fc.constant("mug_1"),
      stages: fc.constant({ find_receptacle: false }),
      conditions: fc
        .subarray(names)
        .map((missing) =>
          missing.map((name) => ({ name, value: 2.5, threshold: 1, holds: false })),
        ),
      goal_distance_m: fc.oneof(metres, fc.constant(0)),
      carried: fc.constantFrom(0, 1),
    }),
    closestM: metres,
    closestStep: steps,
    collisions: steps,
    stuckSteps: steps,
    handling: fc.record(
      {
        closestReachM: metres,
        stages: fc
          .nat({ max: 4 })
          .chain((count) =>
            fc.record(
              Object.fromEntries(REARRANGEMENT.slice(0, count).map((name) => [name, stage])),
            ),
          ),
        carried,
        extremes: fc.record({
          object_distance_m: extreme,
          object_view: extreme,
          receptacle_distance_m: extreme,
          receptacle_view: extreme,
        }),
        stillSteps: fc.constant([]),
        lastAction: fc.constant(null),
      },
      { requiredKeys: ["closestReachM", "stages", "extremes", "stillSteps", "lastAction"] },
    ),
  });
  const goals = { target_object: { category: "mug" }, target_location: { category: "desk" } };
  const task = new RearrangeTask({ goals });
  const kept = new Set([...names.flatMap((name) => name.split(" ")), "mug", "desk"]);
  fc.assert(
    fc.property(end, (episode) => {
      const said = task.explain(episode);
      expect(
        leftOver(inChinese(said)).filter((word) => !kept.has(word)),
        said,
      ).toEqual([]);
    }),
  );
});
